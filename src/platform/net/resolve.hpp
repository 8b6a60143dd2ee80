#pragma once

#include "platform/net/socket_address.hpp"

#include <string>

namespace schedbench::platform {

// Returns the address of "box:7000": what SocketAddress::Parse() reads, or the first address that the system knows for the name
// before the last colon, one of IPv4 if there is one. Blocks for as long as the system looks it up. Throws std::runtime_error that names the text and the
// reason. Any thread.
SocketAddress Resolve(const std::string& text);

}  // namespace schedbench::platform

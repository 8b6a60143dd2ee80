#pragma once

#include "platform/net/socket_address.hpp"

#include <string>

namespace schedbench::platform {

// Returns the address of "box:7000": what SocketAddress::Parse() reads, or the system's first
// address for the name before the last colon, IPv4 if possible. Blocks during the system's look-up.
// Throws std::runtime_error with the text and the reason. Any thread.
SocketAddress Resolve(const std::string& text);

}  // namespace schedbench::platform

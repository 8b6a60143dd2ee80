#include "platform/net/resolve.hpp"

#include <netdb.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

#include <sys/socket.h>

namespace schedbench::platform {

SocketAddress Resolve(const std::string& text) {
  if (const auto address = SocketAddress::Parse(text)) {
    return *address;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size() ||
      text.find_first_not_of("0123456789", colon + 1) != std::string::npos) {
    throw std::runtime_error("'" + text + "' is not an address; write HOST:PORT");
  }
  const std::string host = text.substr(0, colon);
  const std::string port = text.substr(colon + 1);
  // This name is always the loopback address (RFC 6761), also without a file of hosts.
  if (const auto address = SocketAddress::Parse("127.0.0.1:" + port);
      address && host == "localhost") {
    return *address;
  }
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  wanted.ai_family = AF_INET;
  addrinfo* found = nullptr;
  int error = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found);
  if (error != 0) {
    wanted.ai_family = AF_UNSPEC;
    error = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found);
  }
  if (error != 0) {
    throw std::runtime_error("cannot find the address of '" + host + "': " + ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  return SocketAddress::FromBytes(found->ai_addr, found->ai_addrlen);
}

}  // namespace schedbench::platform

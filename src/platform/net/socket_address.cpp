#include "platform/net/socket_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>

namespace schedbench::platform {

namespace {

constexpr std::string_view kUnixPrefix = "unix:";

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return port;
}

template <typename Sockaddr>
SocketAddress AddressOf(const Sockaddr& address, std::size_t size = sizeof(Sockaddr)) noexcept {
  return SocketAddress::FromBytes(&address, size);
}

std::optional<SocketAddress> ParseUnix(std::string_view path) {
  sockaddr_un address{};
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return std::nullopt;
  }
  address.sun_family = AF_UNIX;
  std::ranges::copy(path, address.sun_path);
  const bool is_abstract = path.front() == '@';
  if (is_abstract) {
    address.sun_path[0] = '\0';
  }
  // The final zero belongs to a path, but not to an abstract name.
  return AddressOf(address, offsetof(sockaddr_un, sun_path) + path.size() + (is_abstract ? 0 : 1));
}

std::optional<SocketAddress> ParseIpv4(const std::string& host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    return std::nullopt;
  }
  return AddressOf(address);
}

std::optional<SocketAddress> ParseIpv6(const std::string& host, std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  if (::inet_pton(AF_INET6, host.c_str(), &address.sin6_addr) != 1) {
    return std::nullopt;
  }
  return AddressOf(address);
}

template <typename Sockaddr>
Sockaddr As(const void* bytes) noexcept {
  Sockaddr address{};
  std::memcpy(&address, bytes, sizeof(address));
  return address;
}

std::string UnixText(const void* bytes, std::size_t size) {
  const auto* const path = static_cast<const char*>(bytes) + offsetof(sockaddr_un, sun_path);
  std::string text(kUnixPrefix);
  if (size <= offsetof(sockaddr_un, sun_path)) {
    return text;
  }
  const std::size_t length = size - offsetof(sockaddr_un, sun_path);
  if (path[0] == '\0') {
    return (text += '@').append(path + 1, length - 1);
  }
  return text.append(path, ::strnlen(path, length));
}

}  // namespace

std::optional<SocketAddress> SocketAddress::Parse(std::string_view text) {
  if (text.starts_with(kUnixPrefix)) {
    return ParseUnix(text.substr(kUnixPrefix.size()));
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const auto port = ParsePort(text.substr(colon + 1));
  std::string_view host = text.substr(0, colon);
  if (!port) {
    return std::nullopt;
  }
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    return ParseIpv6(std::string(host), *port);
  }
  return ParseIpv4(std::string(host), *port);
}

SocketAddress SocketAddress::Loopback(std::uint16_t port) noexcept {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return AddressOf(address);
}

SocketAddress SocketAddress::FromBytes(const void* bytes, std::size_t size) noexcept {
  static_assert(sizeof(sockaddr_storage) == kMaxBytes);
  SocketAddress address;
  address.size_ = std::min(size, kMaxBytes);
  std::memcpy(address.bytes_.data(), bytes, address.size_);
  return address;
}

SocketAddress::Family SocketAddress::GetFamily() const noexcept {
  if (size_ < sizeof(sa_family_t)) {
    return Family::kNone;
  }
  switch (As<sa_family_t>(bytes_.data())) {
    case AF_INET:
      return Family::kIpv4;
    case AF_INET6:
      return Family::kIpv6;
    case AF_UNIX:
      return Family::kUnix;
    default:
      return Family::kNone;
  }
}

std::uint16_t SocketAddress::Port() const noexcept {
  switch (GetFamily()) {
    case Family::kIpv4:
      return ntohs(As<sockaddr_in>(bytes_.data()).sin_port);
    case Family::kIpv6:
      return ntohs(As<sockaddr_in6>(bytes_.data()).sin6_port);
    default:
      return 0;
  }
}

std::string SocketAddress::Text() const {
  char host[INET6_ADDRSTRLEN] = "";
  switch (GetFamily()) {
    case Family::kIpv4: {
      const auto address = As<sockaddr_in>(bytes_.data());
      ::inet_ntop(AF_INET, &address.sin_addr, host, sizeof(host));
      return std::string(host) + ":" + std::to_string(Port());
    }
    case Family::kIpv6: {
      const auto address = As<sockaddr_in6>(bytes_.data());
      ::inet_ntop(AF_INET6, &address.sin6_addr, host, sizeof(host));
      return "[" + std::string(host) + "]:" + std::to_string(Port());
    }
    case Family::kUnix:
      return UnixText(bytes_.data(), size_);
    case Family::kNone:
      break;
  }
  return "";
}

bool SocketAddress::operator==(const SocketAddress& other) const noexcept {
  return size_ == other.size_ && std::memcmp(bytes_.data(), other.bytes_.data(), size_) == 0;
}

}  // namespace schedbench::platform

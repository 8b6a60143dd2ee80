#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::platform {

// The address of a socket: IPv4, IPv6 or a path of a unix socket. Holds a `sockaddr`.
class SocketAddress {
 public:
  enum class Family : std::uint8_t { kNone, kIpv4, kIpv6, kUnix };

  // Makes an empty address of family kNone.
  SocketAddress() = default;

  // Returns the address of `text`: "127.0.0.1:80", "[::1]:80", or "unix:PATH", where a PATH that
  // starts with '@' is abstract. Returns nothing for other texts, like host names and too long
  // paths.
  static std::optional<SocketAddress> Parse(std::string_view text);

  // Returns 127.0.0.1:`port`; port 0 lets the system choose one.
  static SocketAddress Loopback(std::uint16_t port) noexcept;

  // Returns the address in the `size` bytes at `bytes`, which are a `sockaddr`.
  static SocketAddress FromBytes(const void* bytes, std::size_t size) noexcept;

  Family GetFamily() const noexcept;

  // Returns the port; 0 for a unix socket.
  std::uint16_t Port() const noexcept;

  // Returns the text that Parse() reads; "unix:" for an unnamed unix socket, "" without an address.
  std::string Text() const;

  // Returns the `sockaddr` for system calls.
  const void* Bytes() const noexcept {
    return bytes_.data();
  }
  std::size_t Size() const noexcept {
    return size_;
  }

  bool operator==(const SocketAddress& other) const noexcept;

 private:
  static constexpr std::size_t kMaxBytes = 128;  // size of sockaddr_storage

  alignas(8) std::array<char, kMaxBytes> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace schedbench::platform

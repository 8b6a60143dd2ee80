#include "platform/net/socket.hpp"

#include "platform/files/interrupted.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

const sockaddr* ToSockaddr(const SocketAddress& address) noexcept {
  return static_cast<const sockaddr*>(address.Bytes());
}

template <typename T>
int SetOption(int fd, int level, int name, const T& value) noexcept {
  return ::setsockopt(fd, level, name, &value, sizeof(value)) == 0 ? 0 : -errno;
}

template <typename Get>
SocketAddress AddressBy(Get get) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  if (get(reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
    return {};
  }
  return SocketAddress::FromBytes(&storage, size);
}

// Ignores the signal for a pipe without a reader, unless the program handles it.
void IgnoreBrokenPipes() noexcept {
  struct sigaction now{};
  if (::sigaction(SIGPIPE, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
      now.sa_handler == SIG_DFL) {
    ::signal(SIGPIPE, SIG_IGN);
  }
}

}  // namespace

int OpenSocket(const SocketAddress& address, SocketType type) noexcept {
  const int domain = ToSockaddr(address)->sa_family;
  const int kind = type == SocketType::kStream ? SOCK_STREAM : SOCK_DGRAM;
  const int fd = ::socket(domain, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return fd >= 0 ? fd : -errno;
}

int BindSocket(int fd, const SocketAddress& address) noexcept {
  if (address.GetFamily() != SocketAddress::Family::kUnix) {
    SetOption(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  }
  const auto size = static_cast<socklen_t>(address.Size());
  return ::bind(fd, ToSockaddr(address), size) == 0 ? 0 : -errno;
}

int ListenSocket(int fd, int backlog) noexcept {
  return ::listen(fd, backlog) == 0 ? 0 : -errno;
}

int StartConnect(int fd, const SocketAddress& peer) noexcept {
  // It is not repeated: after EINTR the connection is being made in any case.
  if (::connect(fd, ToSockaddr(peer), static_cast<socklen_t>(peer.Size())) == 0) {
    return 0;
  }
  return errno == EINTR ? -EINPROGRESS : -errno;
}

int ConnectResult(int fd) noexcept {
  int error = 0;
  socklen_t size = sizeof(error);
  if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
    return -errno;
  }
  if (error != 0) {
    return -error;
  }
  // Without an error the connection may not be made yet: a socket may be reported too early.
  sockaddr_storage peer{};
  size = sizeof(peer);
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0) {
    return 0;
  }
  return errno == ENOTCONN ? -EAGAIN : -errno;
}

int AcceptSocket(int fd, SocketAddress& peer) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  for (;;) {
    size = sizeof(storage);
    const int accepted = RepeatInterrupted([&] {
      return ::accept4(fd, reinterpret_cast<sockaddr*>(&storage), &size,
                       SOCK_CLOEXEC | SOCK_NONBLOCK);
    });
    if (accepted == -ECONNABORTED) {
      continue;  // its peer has gone; the next connection may be there
    }
    if (accepted >= 0) {
      peer = SocketAddress::FromBytes(&storage, size);
    }
    return accepted;
  }
}

int OpenSocketPair(std::array<int, 2>& fds) noexcept {
  return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds.data()) == 0
             ? 0
             : -errno;
}

int OpenPipe(std::array<int, 2>& fds) noexcept {
  static const bool ignored = (IgnoreBrokenPipes(), true);
  static_cast<void>(ignored);
  return ::pipe2(fds.data(), O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : -errno;
}

std::int64_t ReadSocket(int fd, std::span<std::byte> into) noexcept {
  return RepeatInterrupted([&] { return ::recv(fd, into.data(), into.size(), 0); });
}

std::int64_t WriteSocket(int fd, std::span<const std::byte> bytes) noexcept {
  return RepeatInterrupted([&] { return ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
}

std::int64_t ReadPipe(int fd, std::span<std::byte> into) noexcept {
  return RepeatInterrupted([&] { return ::read(fd, into.data(), into.size()); });
}

std::int64_t WritePipe(int fd, std::span<const std::byte> bytes) noexcept {
  return RepeatInterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
}

std::int64_t ReceiveDatagram(int fd, std::span<std::byte> into, SocketAddress& sender) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  const std::int64_t received = RepeatInterrupted([&] {
    size = sizeof(storage);
    return ::recvfrom(fd, into.data(), into.size(), MSG_TRUNC,
                      reinterpret_cast<sockaddr*>(&storage), &size);
  });
  if (received >= 0) {
    sender = SocketAddress::FromBytes(&storage, size);
  }
  return received;
}

std::int64_t SendDatagram(int fd, std::span<const std::byte> bytes,
                          const SocketAddress& receiver) noexcept {
  return RepeatInterrupted([&] {
    return ::sendto(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL, ToSockaddr(receiver),
                    static_cast<socklen_t>(receiver.Size()));
  });
}

int ShutdownSocket(int fd, ShutdownSide side) noexcept {
  const int how =
      side == ShutdownSide::kRead ? SHUT_RD : (side == ShutdownSide::kWrite ? SHUT_WR : SHUT_RDWR);
  return ::shutdown(fd, how) == 0 ? 0 : -errno;
}

int SetNoDelay(int fd, bool on) noexcept {
  return SetOption(fd, IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0);
}

int IsPlainTcp(int fd) noexcept {
  int protocol = 0;
  socklen_t size = sizeof(protocol);
  if (::getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0) {
    return -errno;
  }
  return protocol == IPPROTO_TCP ? 1 : 0;
}

int SetResetOnClose(int fd) noexcept {
  return SetOption(fd, SOL_SOCKET, SO_LINGER, linger{.l_onoff = 1, .l_linger = 0});
}

int SetBufferBytes(int fd, int send_bytes, int receive_bytes) noexcept {
  int result = send_bytes > 0 ? SetOption(fd, SOL_SOCKET, SO_SNDBUF, send_bytes) : 0;
  if (result == 0 && receive_bytes > 0) {
    result = SetOption(fd, SOL_SOCKET, SO_RCVBUF, receive_bytes);
  }
  return result;
}

SocketAddress LocalAddress(int fd) noexcept {
  return AddressBy(
      [fd](sockaddr* address, socklen_t* size) { return ::getsockname(fd, address, size); });
}

SocketAddress PeerAddress(int fd) noexcept {
  return AddressBy(
      [fd](sockaddr* address, socklen_t* size) { return ::getpeername(fd, address, size); });
}

int CloseDescriptor(int fd) noexcept {
  // It is not repeated: Linux frees the number first, and another thread may already have it.
  return ::close(fd) == 0 || errno == EINTR ? 0 : -errno;
}

void RemoveSocketFile(const SocketAddress& address) noexcept {
  if (address.GetFamily() != SocketAddress::Family::kUnix ||
      address.Size() <= offsetof(sockaddr_un, sun_path)) {
    return;
  }
  const auto* const path =
      static_cast<const char*>(address.Bytes()) + offsetof(sockaddr_un, sun_path);
  if (*path != '\0') {
    ::unlink(path);
  }
}

std::string ErrorText(int error) {
  return std::generic_category().message(error);
}

}  // namespace schedbench::platform

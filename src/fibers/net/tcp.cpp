#include "fibers/net/tcp.hpp"

namespace schedbench::fibers {

TcpStream::TcpStream(DescriptorOwner descriptor) noexcept
    : Stream(std::move(descriptor)) {
  if (descriptor_->Once(platform::IsPlainTcp) > 0) {
    descriptor_->SetReportsNewBytes();
  }
  SetNoDelay(true);
}

IoResult<TcpStream> TcpStream::Connect(const SocketAddress& peer, Deadline deadline) noexcept {
  IoResult<DescriptorOwner> connected = ConnectTo(peer, deadline);
  if (!connected.Ok()) {
    return connected.Error();
  }
  return TcpStream(connected.Take());
}

IoError TcpStream::SetNoDelay(bool on) noexcept {
  const std::int64_t result =
      descriptor_->Once([on](int fd) { return platform::SetNoDelay(fd, on); });
  return IoError{static_cast<int>(-result)};
}

IoResult<TcpListener> TcpListener::Listen(const SocketAddress& address, int backlog) noexcept {
  IoResult<DescriptorOwner> listening = ListenAt(address, backlog);
  if (!listening.Ok()) {
    return listening.Error();
  }
  return TcpListener(listening.Take());
}

IoResult<TcpStream> TcpListener::Accept(Deadline deadline) noexcept {
  IoResult<DescriptorOwner> accepted = AcceptAny(deadline);
  if (!accepted.Ok()) {
    return accepted.Error();
  }
  return TcpStream(accepted.Take());
}

}  // namespace schedbench::fibers

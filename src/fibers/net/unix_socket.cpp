#include "fibers/net/unix_socket.hpp"

#include <array>

namespace schedbench::fibers {

IoResult<UnixStream> UnixStream::Connect(const SocketAddress& peer, Deadline deadline) noexcept {
  IoResult<DescriptorOwner> connected = ConnectTo(peer, deadline);
  if (!connected.Ok()) {
    return connected.Error();
  }
  return UnixStream(connected.Take());
}

IoResult<std::pair<UnixStream, UnixStream>> UnixStream::Pair() noexcept {
  std::array<int, 2> fds{};
  const int error = platform::OpenSocketPair(fds);
  if (error != 0) {
    return IoError{-error};
  }
  auto first = DescriptorOwner::Open(fds[0]);
  auto second = DescriptorOwner::Open(fds[1]);
  if (!first.Ok() || !second.Ok()) {
    return first.Ok() ? second.Error() : first.Error();
  }
  return std::pair(UnixStream(first.Take()), UnixStream(second.Take()));
}

IoResult<UnixListener> UnixListener::Listen(const SocketAddress& address, int backlog) noexcept {
  IoResult<DescriptorOwner> listening = ListenAt(address, backlog);
  if (!listening.Ok()) {
    return listening.Error();
  }
  return UnixListener(listening.Take(), address);
}

IoResult<UnixStream> UnixListener::Accept(Deadline deadline) noexcept {
  IoResult<DescriptorOwner> accepted = AcceptAny(deadline);
  if (!accepted.Ok()) {
    return accepted.Error();
  }
  return UnixStream(accepted.Take());
}

}  // namespace schedbench::fibers

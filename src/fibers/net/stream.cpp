#include "fibers/net/stream.hpp"

#include "fibers/net/call_batch.hpp"
#include "fibers/net/move_bytes.hpp"

#include <cerrno>

namespace schedbench::fibers {

namespace {

IoError ErrorOf(std::int64_t result) noexcept {
  return IoError{result < 0 ? static_cast<int>(-result) : 0};
}

template <typename Get>
SocketAddress AddressOf(Descriptor& descriptor, Get get) noexcept {
  SocketAddress address;
  descriptor.Once([&](int fd) {
    address = get(fd);
    return 0;
  });
  return address;
}

// Return the calls that read and write, each perhaps in a batch.
auto ReadBy(const Descriptor& descriptor) noexcept {
  return [&descriptor](int fd, std::span<std::byte> into) {
    return CallBatch::Make({.kind = platform::SocketCall::Kind::kRead,
                            .fd = fd,
                            .bytes = into.data(),
                            .size = into.size()},
                           {.kind = WaitKind::kNetRead, .object = &descriptor});
  };
}
auto WriteBy(const Descriptor& descriptor) noexcept {
  return [&descriptor](int fd, std::span<const std::byte> bytes) {
    // The call only reads the bytes.
    return CallBatch::Make({.kind = platform::SocketCall::Kind::kWrite,
                            .fd = fd,
                            .bytes = const_cast<std::byte*>(bytes.data()),
                            .size = bytes.size()},
                           {.kind = WaitKind::kNetWrite, .object = &descriptor});
  };
}

// Closes a socket that has not become a connection.
int Abort(int fd, int error) noexcept {
  platform::CloseDescriptor(fd);
  return error;
}

}  // namespace

Transfer Stream::ReadSome(std::span<std::byte> into, Deadline deadline) noexcept {
  if (into.empty()) {
    // TCP would wait for an empty read.
    return {.bytes = 0, .error = {descriptor_->IsClosed() ? ECANCELED : 0}};
  }
  return MoveSome(*descriptor_, WaitKind::kNetRead, deadline, into, ReadBy(*descriptor_));
}

Transfer Stream::ReadFull(std::span<std::byte> into, Deadline deadline) noexcept {
  return MoveAll(*descriptor_, WaitKind::kNetRead, deadline, into, ReadBy(*descriptor_));
}

Transfer Stream::WriteSome(std::span<const std::byte> bytes, Deadline deadline) noexcept {
  return MoveSome(*descriptor_, WaitKind::kNetWrite, deadline, bytes, WriteBy(*descriptor_));
}

Transfer Stream::WriteAll(std::span<const std::byte> bytes, Deadline deadline) noexcept {
  return MoveAll(*descriptor_, WaitKind::kNetWrite, deadline, bytes, WriteBy(*descriptor_));
}

IoError Stream::Shutdown(ShutdownSide side) noexcept {
  return ErrorOf(descriptor_->Once([side](int fd) { return platform::ShutdownSocket(fd, side); }));
}

SocketAddress Stream::LocalAddress() noexcept {
  return AddressOf(*descriptor_, platform::LocalAddress);
}

SocketAddress Stream::PeerAddress() noexcept {
  return AddressOf(*descriptor_, platform::PeerAddress);
}

IoError Stream::SetResetOnClose() noexcept {
  return ErrorOf(descriptor_->Once(platform::SetResetOnClose));
}

IoError Stream::SetBufferBytes(int send_bytes, int receive_bytes) noexcept {
  return ErrorOf(descriptor_->Once(
      [=](int fd) { return platform::SetBufferBytes(fd, send_bytes, receive_bytes); }));
}

IoResult<DescriptorOwner> Stream::ConnectTo(const SocketAddress& peer, Deadline deadline) noexcept {
  const int fd = platform::OpenSocket(peer, platform::SocketType::kStream);
  if (fd < 0) {
    return IoError{-fd};
  }
  int error = platform::StartConnect(fd, peer);
  // A unix socket is connected at once or refused. EAGAIN: a full queue, which no event ends.
  if (error != 0 && error != -EINPROGRESS) {
    return IoError{-Abort(fd, error)};
  }
  // It is registered after the start: an unconnected socket would be reported as ended.
  IoResult<DescriptorOwner> opened = DescriptorOwner::Open(fd);
  if (opened.Ok() && error == -EINPROGRESS) {
    error =
        static_cast<int>((*opened)->Run(WaitKind::kNetConnect, deadline, platform::ConnectResult));
    if (error != 0) {
      return IoError{-error};
    }
  }
  return opened;
}

SocketAddress Listener::Address() noexcept {
  return AddressOf(*descriptor_, platform::LocalAddress);
}

IoResult<DescriptorOwner> Listener::ListenAt(const SocketAddress& address, int backlog) noexcept {
  const int fd = platform::OpenSocket(address, platform::SocketType::kStream);
  if (fd < 0) {
    return IoError{-fd};
  }
  int error = platform::BindSocket(fd, address);
  if (error == 0) {
    error = platform::ListenSocket(fd, backlog);
  }
  if (error != 0) {
    return IoError{-Abort(fd, error)};
  }
  return DescriptorOwner::Open(fd);
}

IoResult<DescriptorOwner> Listener::AcceptAny(Deadline deadline) noexcept {
  SocketAddress peer;
  const std::int64_t accepted = descriptor_->Run(
      WaitKind::kNetAccept, deadline,
      [&peer](int fd) -> std::int64_t { return platform::AcceptSocket(fd, peer); });
  return DescriptorOwner::Open(static_cast<int>(accepted));
}

}  // namespace schedbench::fibers

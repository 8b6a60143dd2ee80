#include "fibers/net/udp_socket.hpp"

#include "fibers/net/move_bytes.hpp"

namespace schedbench::fibers {

IoResult<UdpSocket> UdpSocket::Bind(const SocketAddress& address) noexcept {
  const int fd = platform::OpenSocket(address, platform::SocketType::kDatagram);
  const int error = fd < 0 ? fd : platform::BindSocket(fd, address);
  if (error != 0) {
    if (fd >= 0) {
      platform::CloseDescriptor(fd);
    }
    return IoError{-error};
  }
  IoResult<DescriptorOwner> opened = DescriptorOwner::Open(fd);
  if (!opened.Ok()) {
    return opened.Error();
  }
  return UdpSocket(opened.Take());
}

Transfer UdpSocket::SendTo(std::span<const std::byte> bytes, const SocketAddress& receiver,
                           Deadline deadline) noexcept {
  return MoveSome(*descriptor_, WaitKind::kNetWrite, deadline, bytes,
                  [&receiver](int fd, std::span<const std::byte> datagram) {
                    return platform::SendDatagram(fd, datagram, receiver);
                  });
}

IoResult<UdpSocket::Datagram> UdpSocket::ReceiveFrom(std::span<std::byte> into,
                                                     Deadline deadline) noexcept {
  Datagram datagram{};
  const Transfer received =
      MoveSome(*descriptor_, WaitKind::kNetRead, deadline, into,
               [&datagram](int fd, std::span<std::byte> buffer) {
                 return platform::ReceiveDatagram(fd, buffer, datagram.sender);
               });
  if (!received.Ok()) {
    return received.error;
  }
  datagram.bytes = received.bytes;
  return datagram;
}

SocketAddress UdpSocket::Address() noexcept {
  SocketAddress address;
  descriptor_->Once([&address](int fd) {
    address = platform::LocalAddress(fd);
    return 0;
  });
  return address;
}

}  // namespace schedbench::fibers

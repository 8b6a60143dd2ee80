#pragma once

#include "fibers/net/stream.hpp"

namespace schedbench::fibers {

// Sends and receives datagrams. The rules for fibers and threads are those of Stream.
class UdpSocket {
 public:
  // Opens a socket at `address`; with port 0 the system chooses one.
  static IoResult<UdpSocket> Bind(const SocketAddress& address) noexcept;

  // Sends `bytes` as one datagram. EMSGSIZE: there are too many.
  Transfer SendTo(std::span<const std::byte> bytes, const SocketAddress& receiver,
                  Deadline deadline = Deadline::Never()) noexcept;

  // A received datagram.
  struct Datagram {
    std::size_t bytes;  // its length; larger than the buffer if the rest was cut off
    SocketAddress sender;
  };
  // Waits for a datagram and copies it to `into`.
  IoResult<Datagram> ReceiveFrom(std::span<std::byte> into,
                                 Deadline deadline = Deadline::Never()) noexcept;

  // Returns the address of the socket.
  SocketAddress Address() noexcept;

  // Closes the socket. Waiting operations return ECANCELED. Idempotent. Any thread.
  void Close() noexcept {
    descriptor_->Close();
  }

 private:
  explicit UdpSocket(DescriptorOwner descriptor) noexcept
      : descriptor_(std::move(descriptor)) {
  }

  DescriptorOwner descriptor_;
};

}  // namespace schedbench::fibers

#pragma once

#include "fibers/net/stream.hpp"

namespace schedbench::fibers {

// Sends and receives datagrams. Of fibers and threads as with Stream.
class UdpSocket {
 public:
  // Opens a socket at `address`; port 0: one that the system chooses.
  static IoResult<UdpSocket> Bind(const SocketAddress& address) noexcept;

  // Sends `bytes` as one datagram. EMSGSIZE: they are too many.
  Transfer SendTo(std::span<const std::byte> bytes, const SocketAddress& receiver,
                  Deadline deadline = Deadline::Never()) noexcept;

  // What has come.
  struct Datagram {
    std::size_t bytes;  // its length; larger than the buffer where the rest was cut
    SocketAddress sender;
  };
  // Waits for a datagram and copies it to `into`.
  IoResult<Datagram> ReceiveFrom(std::span<std::byte> into,
                                 Deadline deadline = Deadline::Never()) noexcept;

  // The address that it was bound to.
  SocketAddress Address() noexcept;

  // Closes the socket. Operations that wait return ECANCELED. Again: no effect. Any thread.
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

#pragma once

#include "fibers/net/descriptor.hpp"
#include "fibers/time/deadline.hpp"
#include "platform/net/socket.hpp"

#include <cstddef>
#include <span>

namespace schedbench::fibers {

using platform::ShutdownSide;
using platform::SocketAddress;

// Names of bytes that a caller has as text.
inline std::span<const std::byte> BytesOf(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

// A connection that bytes pass through in both directions, in order. One fiber may read while another writes; a second
// one for the same direction gets EBUSY where it would have to wait. All operations suspend a fiber and block a thread.
// Move-only; while an operation runs, only Close() and operations of the other direction may be called.
class Stream {
 public:
  // Reads at least one byte, and no more than `into` holds. 0 bytes without an error: the peer has ended its side,
  // or `into` is empty.
  Transfer ReadSome(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;

  // Reads until `into` is full. Fewer bytes without an error: the peer has ended its side.
  Transfer ReadFull(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;

  // Writes at least one byte of `bytes`, if there is one.
  Transfer WriteSome(std::span<const std::byte> bytes,
                     Deadline deadline = Deadline::Never()) noexcept;

  // Writes all bytes. `bytes` of the result are accepted by the system; that they arrive is for the peer to say.
  Transfer WriteAll(std::span<const std::byte> bytes,
                    Deadline deadline = Deadline::Never()) noexcept;

  // Ends a side and keeps the descriptor: the peer reads to the end of what was written.
  IoError Shutdown(ShutdownSide side) noexcept;

  // Closes the connection. Operations that wait return ECANCELED, as do all later ones. Again: no effect. Any thread. A
  // fiber that got ECANCELED may destroy the stream only when the call of Close() has returned, too.
  void Close() noexcept {
    descriptor_->Close();
  }

  // No address once it is closed or the peer has gone.
  SocketAddress LocalAddress() noexcept;
  SocketAddress PeerAddress() noexcept;

  // Makes Close() reset the connection: the peer gets ECONNRESET, and what was not sent is lost.
  IoError SetResetOnClose() noexcept;

  // Asks for buffers of the kernel of this size; 0 leaves one as it is.
  IoError SetBufferBytes(int send_bytes, int receive_bytes) noexcept;

  // The file descriptor, for reports and options. Requires: not closed.
  int Fd() const noexcept {
    return descriptor_->Fd();
  }

 protected:
  explicit Stream(DescriptorOwner descriptor) noexcept
      : descriptor_(std::move(descriptor)) {
  }

  // Connects a new socket. Returns the open descriptor of the connection.
  static IoResult<DescriptorOwner> ConnectTo(const SocketAddress& peer, Deadline deadline) noexcept;

  DescriptorOwner descriptor_;
};

// Accepts connections; the base of listeners.
class Listener {
 public:
  // The address that it listens at: with the port that the system has chosen.
  SocketAddress Address() noexcept;

  // Stops listening. Accept() returns ECANCELED, also one that waits. Again: no effect. Any thread.
  void Close() noexcept {
    descriptor_->Close();
  }

 protected:
  explicit Listener(DescriptorOwner descriptor) noexcept
      : descriptor_(std::move(descriptor)) {
  }

  static IoResult<DescriptorOwner> ListenAt(const SocketAddress& address, int backlog) noexcept;
  IoResult<DescriptorOwner> AcceptAny(Deadline deadline) noexcept;

  DescriptorOwner descriptor_;
};

}  // namespace schedbench::fibers

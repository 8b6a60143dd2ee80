#pragma once

#include "fibers/net/descriptor.hpp"
#include "fibers/time/deadline.hpp"
#include "platform/net/socket.hpp"

#include <cstddef>
#include <span>

namespace schedbench::fibers {

using platform::ShutdownSide;
using platform::SocketAddress;

// Returns the bytes of a text.
inline std::span<const std::byte> BytesOf(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

// A connection that transfers bytes in both directions, in order. One fiber may read while another
// writes; a second one for the same direction gets EBUSY instead of a wait. All operations suspend
// a fiber and block a thread. Move-only; during an operation, only Close() and the other direction
// may be used.
class Stream {
 public:
  // Reads between one byte and the size of `into`. 0 bytes, no error: the end, or an empty `into`.
  Transfer ReadSome(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;

  // Reads until `into` is full, or to the end of the peer's side: fewer bytes without an error.
  Transfer ReadFull(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;

  // Writes at least one byte of `bytes`, if it has any.
  Transfer WriteSome(std::span<const std::byte> bytes,
                     Deadline deadline = Deadline::Never()) noexcept;

  // Writes all bytes. The system has accepted them then; only the peer can confirm their arrival.
  Transfer WriteAll(std::span<const std::byte> bytes,
                    Deadline deadline = Deadline::Never()) noexcept;

  // Ends one side and keeps the descriptor: the peer can read all that was written.
  IoError Shutdown(ShutdownSide side) noexcept;

  // Closes the connection. Waiting and later operations return ECANCELED. Idempotent. Any thread. A
  // fiber that got ECANCELED may destroy the stream only after Close() has returned.
  void Close() noexcept {
    descriptor_->Close();
  }

  // Return the addresses, which are empty once the connection is closed or the peer has gone.
  SocketAddress LocalAddress() noexcept;
  SocketAddress PeerAddress() noexcept;

  // Makes Close() reset the connection: the peer gets ECONNRESET, and unsent bytes are lost.
  IoError SetResetOnClose() noexcept;

  // Requests kernel buffers of these sizes; 0 leaves one unchanged.
  IoError SetBufferBytes(int send_bytes, int receive_bytes) noexcept;

  // Returns the file descriptor, for reports and options. Options that change how bytes are read
  // (TCP_ULP, SO_RCVLOWAT, a sockmap) are not supported. Requires: not closed.
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
  // Returns the address that it listens at, with the port that the system has chosen.
  SocketAddress Address() noexcept;

  // Stops listening. Waiting and later Accept() return ECANCELED. Idempotent. Any thread.
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

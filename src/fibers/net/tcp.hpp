#pragma once

#include "fibers/net/stream.hpp"

namespace schedbench::fibers {

// A TCP connection. Small writes are sent at once (TCP_NODELAY), unless SetNoDelay(false) is called.
class TcpStream : public Stream {
 public:
  // Connects to `peer`. A deadline, or an error, leaves nothing behind.
  static IoResult<TcpStream> Connect(const SocketAddress& peer,
                                     Deadline deadline = Deadline::Never()) noexcept;

  // Whether small writes are sent at once.
  IoError SetNoDelay(bool on) noexcept;

 private:
  friend class TcpListener;

  explicit TcpStream(DescriptorOwner descriptor) noexcept;
};

// Accepts TCP connections.
class TcpListener : public Listener {
 public:
  // 4096: the kernel's own limit by default (net.core.somaxconn).
  static constexpr int kBacklog = 4096;

  // Listens at `address`; with port 0 at one that the system chooses: Address().
  static IoResult<TcpListener> Listen(const SocketAddress& address,
                                      int backlog = kBacklog) noexcept;

  // Waits for a connection. EMFILE and ENFILE: there is no descriptor for it. It stays in the queue, so try again when one is
  // free, and not at once.
  IoResult<TcpStream> Accept(Deadline deadline = Deadline::Never()) noexcept;

 private:
  using Listener::Listener;
};

}  // namespace schedbench::fibers

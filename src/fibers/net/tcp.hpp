#pragma once

#include "fibers/net/stream.hpp"

namespace schedbench::fibers {

// A TCP connection. It sends small writes at once (TCP_NODELAY), except after SetNoDelay(false).
class TcpStream : public Stream {
 public:
  // Connects to `peer`. After a deadline or an error nothing remains open.
  static IoResult<TcpStream> Connect(const SocketAddress& peer,
                                     Deadline deadline = Deadline::Never()) noexcept;

  // Sets whether small writes are sent at once.
  IoError SetNoDelay(bool on) noexcept;

 private:
  friend class TcpListener;

  explicit TcpStream(DescriptorOwner descriptor) noexcept;
};

// Accepts TCP connections.
class TcpListener : public Listener {
 public:
  // The value is the kernel's own default limit (net.core.somaxconn).
  static constexpr int kBacklog = 4096;

  // Listens at `address`; with port 0 at one that the system chooses, which Address() returns.
  static IoResult<TcpListener> Listen(const SocketAddress& address,
                                      int backlog = kBacklog) noexcept;

  // Waits for a connection. EMFILE and ENFILE: no descriptor is free for it. It stays in the queue;
  // try again when a descriptor is free, and not at once.
  IoResult<TcpStream> Accept(Deadline deadline = Deadline::Never()) noexcept;

 private:
  using Listener::Listener;
};

}  // namespace schedbench::fibers

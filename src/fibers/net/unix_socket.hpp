#pragma once

#include "fibers/net/stream.hpp"

#include <utility>

namespace schedbench::fibers {

// A connection to a process of the same machine.
class UnixStream : public Stream {
 public:
  // Connects to a listener. EAGAIN: its queue is full.
  static IoResult<UnixStream> Connect(const SocketAddress& peer,
                                      Deadline deadline = Deadline::Never()) noexcept;

  // Returns the two ends of a connection without names.
  static IoResult<std::pair<UnixStream, UnixStream>> Pair() noexcept;

 private:
  friend class UnixListener;
  using Stream::Stream;
};

// Accepts connections at a path. The destructor removes the file.
class UnixListener : public Listener {
 public:
  static constexpr int kBacklog = 4096;  // the value of TcpListener

  // Listens at a path. EADDRINUSE: the path exists, perhaps left by a killed process.
  static IoResult<UnixListener> Listen(const SocketAddress& address,
                                       int backlog = kBacklog) noexcept;

  UnixListener(UnixListener&&) = default;
  UnixListener& operator=(UnixListener&&) = delete;
  ~UnixListener() {
    platform::RemoveSocketFile(path_.address);
  }

  // Waits for a connection like TcpListener::Accept().
  IoResult<UnixStream> Accept(Deadline deadline = Deadline::Never()) noexcept;

 private:
  // The address of the file; empty after a move.
  struct Path {
    explicit Path(const SocketAddress& address) noexcept
        : address(address) {
    }
    Path(Path&& other) noexcept
        : address(std::exchange(other.address, {})) {
    }
    SocketAddress address;
  };

  UnixListener(DescriptorOwner descriptor, const SocketAddress& address) noexcept
      : Listener(std::move(descriptor)),
        path_(address) {
  }

  Path path_;
};

}  // namespace schedbench::fibers

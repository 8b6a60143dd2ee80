#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct io_uring;

namespace schedbench::platform {

// A read or a write of a non-blocking stream socket.
struct SocketCall {
  enum class Kind : std::uint8_t { kRead, kWrite };

  Kind kind = Kind::kRead;
  int fd = -1;
  void* bytes = nullptr;  // a write only reads them
  std::size_t size = 0;
  // The result of ReadSocket() or WriteSocket().
  std::int64_t result = 0;
  // A read of a TCP socket has taken all that was there. Unknown for other sockets.
  bool leaves_nothing = false;

  // Makes the call, by a system call.
  void Make() noexcept;
};

// Makes several calls by one system call (io_uring_enter). No call stays in flight: each has its
// result when Make() returns, and one that would have to wait has -EAGAIN. So nothing has to be
// cancelled, and a thread may make the calls of others. One thread at a time.
class SocketBatch {
 public:
  // Most calls of one system call. The gain grows little from 16 calls on (bench_floors).
  static constexpr std::size_t kMost = 32;

  SocketBatch() noexcept;
  ~SocketBatch();

  SocketBatch(const SocketBatch&) = delete;
  SocketBatch& operator=(const SocketBatch&) = delete;

  // Makes at most kMost calls, in their order. Returns how many of them the ring has made. Each
  // call that the kernel does not make in the ring, and a single call, gets a system call.
  std::size_t Make(std::span<SocketCall* const> calls) noexcept;

  // Returns whether the kernel refuses the ring, so that a batch saves nothing.
  bool IsRefused() const noexcept {
    return is_refused_;
  }

 private:
  bool TryOpen() noexcept;
  std::size_t MakeInRing(std::span<SocketCall* const> calls) noexcept;

  std::unique_ptr<io_uring> ring_;  // null before the first batch
  bool is_refused_ = false;
  bool knows_rest_ = false;  // the kernel reports whether a read has left bytes (Linux 5.19)
};

}  // namespace schedbench::platform

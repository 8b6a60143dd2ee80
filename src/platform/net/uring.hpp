#pragma once

#include "platform/files/file_request.hpp"
#include "platform/net/ready_event.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct io_uring;

namespace schedbench::platform {

// A ring of io_uring that reports readiness, by one multishot poll per descriptor, and runs
// operations on files. Its completions are read without a system call. Any thread may call Add(),
// Remove() and Start(); one at a time Take(). The kernel posts the completions of a poll in the
// thread that submitted it: it interrupts that thread, also in user code. An uninterruptible system
// call of it delays them.
class Uring {
 public:
  Uring() noexcept;
  ~Uring();

  Uring(const Uring&) = delete;
  Uring& operator=(const Uring&) = delete;

  // Makes the ring. Returns 0, or a negative errno if the kernel refuses or lacks a feature
  // (-ENOSYS). May be repeated after an error.
  int Open() noexcept;

  // Returns the descriptor of the ring, which is readable while there are completions.
  int Fd() const noexcept;

  // Reports `fd` like EventPoll::Add(). A failure of the poll itself is an event that has ended.
  // The ring holds the open file until Remove(), also if `fd` is closed. Returns 0 or a negative
  // errno: -EPERM if `fd` is neither a socket nor a pipe. `key`: without ReadyEvent::kOperation.
  int Add(int fd, std::uint64_t key) noexcept;

  // Ends the reports of `key`, or cancels the operation. The file is released soon after.
  void Remove(std::uint64_t key) noexcept;

  // Runs `request`, and then reports the result with `key`, which has ReadyEvent::kOperation. Until
  // then its bytes belong to the kernel. The result is -ECANCELED or -EINTR if the thread that
  // started it ends. Returns 0, or a negative errno if it does not run.
  int Start(const FileRequest& request, std::uint64_t key) noexcept;

  // Writes the events that have come to `events` and returns their number. Does not wait.
  std::size_t Take(std::span<ReadyEvent> events) noexcept;

 private:
  // The key of completions without an event.
  static constexpr std::uint64_t kOwnKey = ~std::uint64_t{0};

  template <typename Prepare>
  int Submit(std::uint64_t key, Prepare prepare) noexcept;

  // The queue of submissions has one producer. The lock is held during the system call, so a
  // refused entry is taken back before another thread submits it.
  Mutex submitting_;
  std::unique_ptr<io_uring> ring_;
};

}  // namespace schedbench::platform

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

// A ring of io_uring that runs operations on files. Any thread may call Start() and Cancel(); one
// at a time Take().
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

  // Runs `request`, and then reports the result with `key`, which has ReadyEvent::kOperation. Until
  // then its bytes belong to the kernel. The result is -ECANCELED or -EINTR if the thread that
  // started it ends. Returns 0, or a negative errno if it does not run.
  int Start(const FileRequest& request, std::uint64_t key) noexcept;

  // Ends an operation, with -ECANCELED if the kernel can stop it.
  void Cancel(std::uint64_t key) noexcept;

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

#pragma once

#include <cstdint>
#include <optional>

namespace schedbench::platform {

// What a thread waits for in the kernel.
enum class BlockedIn : std::uint8_t {
  kNothing,  // it runs or is ready
  kSleep,    // nanosleep(2)
  kFutex,    // a lock, a condition, parking
  kOther     // any other system call, or a page fault
};

// Reports what a thread of this process is blocked in, by /proc/self/task/TID/syscall. A look costs some microseconds and does not
// disturb the thread. Any thread, one at a time.
class BlockedCall {
 public:
  // `thread`: the kernel's number of it.
  explicit BlockedCall(int thread) noexcept;
  ~BlockedCall();

  BlockedCall(const BlockedCall&) = delete;
  BlockedCall& operator=(const BlockedCall&) = delete;

  // Returns what the thread is blocked in now; none if the kernel does not report it, or the thread has ended.
  std::optional<BlockedIn> Look() const noexcept;

 private:
  int file_;
};

}  // namespace schedbench::platform

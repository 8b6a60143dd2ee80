#pragma once

#include <cstdint>
#include <optional>

namespace schedbench::platform {

// The kind of a thread's wait in the kernel.
enum class BlockedIn : std::uint8_t {
  kNothing,  // runs or is ready
  kSleep,    // nanosleep(2)
  kFutex,    // a lock, a condition, parking
  kOther     // any other system call, or a page fault
};

// Reports in which call a thread of this process is blocked, by /proc/self/task/TID/syscall. A
// check costs some microseconds and does not disturb the thread. Any thread, one at a time.
class BlockedCall {
 public:
  // `thread`: the kernel's number of it.
  explicit BlockedCall(int thread) noexcept;
  ~BlockedCall();

  BlockedCall(const BlockedCall&) = delete;
  BlockedCall& operator=(const BlockedCall&) = delete;

  // Returns the call; nothing if the kernel does not report it, or the thread has ended.
  std::optional<BlockedIn> Look() const noexcept;

 private:
  int file_;
};

}  // namespace schedbench::platform

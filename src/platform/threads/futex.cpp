#include "platform/threads/futex.hpp"

#include "platform/threads/thread.hpp"
#include "platform/time/blocking_cost.hpp"

#include <cerrno>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

long Futex(const Atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept {
  RefuseInChildOfFork();
  return ::syscall(SYS_futex, &word.Value(), operation | FUTEX_PRIVATE_FLAG, value, timeout,
                   nullptr, 0);
}

}  // namespace

void FutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  const BlockingCostScope cost;
  if (Futex(word, FUTEX_WAIT, expected, nullptr) == 0) {
    cost.Count(BlockingCall::kFutexWait);
  }
}

bool FutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                  std::chrono::nanoseconds timeout) noexcept {
  if (timeout <= std::chrono::nanoseconds::zero()) {
    return false;
  }
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (timeout - seconds).count()};
  const BlockingCostScope cost;
  if (Futex(word, FUTEX_WAIT, expected, &limit) == 0) {
    cost.Count(BlockingCall::kFutexWait);
    return true;
  }
  return errno != ETIMEDOUT;
}

void FutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count) noexcept {
  Futex(word, FUTEX_WAKE, count, nullptr);
}

}  // namespace schedbench::platform

#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers {

// What WaitIdle() waits for, and how this is detected.
enum class QuiescenceCriterion : std::uint8_t {
  kTasks,          // every submitted task has run; a suspended fiber is not a task
  kFibers,         // every fiber that was started has ended, too
  kSharedCounter,  // kTasks, by one counter that every submit and every end of a task writes
};

constexpr std::array<std::string_view, 3> NamesOf(QuiescenceCriterion) {
  return {"tasks", "fibers", "shared_counter"};
}

// The counter of kSharedCounter, which the Scalable Scheduler task warns of. Any thread.
class alignas(kCacheLine) SharedCounter {
 public:
  // Counts a submit. Call it before other threads can see the task.
  void Submitted() noexcept {
    // relaxed: ordered before the end of the task by its way through a queue.
    count_.FetchAdd(1, memory_order_relaxed);
  }

  // Counts the end of a task. Call it after all that the task submitted.
  void Done() noexcept {
    // release: pairs with the acquire in IsZero().
    count_.FetchSub(1, memory_order_release);
  }

  bool IsZero() const noexcept {
    // acquire: pairs with the release in Done().
    return count_.Load(memory_order_acquire) == 0;
  }

 private:
  Atomic<std::uint64_t> count_{0};
};

}  // namespace schedbench::schedulers

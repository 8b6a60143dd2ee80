#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "schedulers/queues/contracts.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace schedbench::schedulers {

// A lock-free array-based bounded queue, the `LFABQueue` of the toucan report: an array, and an
// index each for its head and its tail. It has the protocol of WorkStealingQueue (README.md) in its
// simplest form: both indices are on one cache line, the owner reads the head at each push, and
// every order is seq_cst. It shows what these three cost.
// (I1) 0 <= tail - head <= capacity. (I2) The owner alone writes tail and the slots in [tail, head
// + capacity). (I3) A task leaves by the one exchange that moves head over it.
class LFABQueue {
 public:
  explicit LFABQueue(std::size_t capacity, Sharing /*sharing*/ = Sharing::kStealable)
      : capacity_(capacity),
        slots_(std::make_unique<Atomic<TaskBase*>[]>(capacity)) {
    SB_ASSERT(capacity >= 2 && std::has_single_bit(capacity), "capacity must be a power of two");
  }

  // Owner only.
  bool TryPush(TaskBase* task) noexcept {
    const std::uint64_t tail = tail_.Load(kOrder);
    if (tail - head_.Load(kOrder) == capacity_) {
      return false;
    }
    Slot(tail).Store(task, kOrder);
    tail_.Store(tail + 1, kOrder);
    return true;
  }

  // Owner only.
  std::size_t PushMany(std::span<TaskBase* const> tasks) noexcept {
    for (TaskBase* const task : tasks) {
      const bool pushed = TryPush(task);
      SB_ASSERT(pushed, "the tasks must fit");
    }
    return tasks.size();
  }

  // Any thread.
  TaskBase* TryPop() noexcept {
    TaskBase* task = nullptr;
    return Take({&task, 1}, [](std::uint64_t size) { return std::min<std::uint64_t>(size, 1); }) ==
                   0
               ? nullptr
               : task;
  }

  std::size_t Grab(std::span<TaskBase*> out) noexcept {
    return Take(out, [](std::uint64_t size) { return size - size / 2; });
  }

  bool IsEmpty() const noexcept {
    // The head is read first: it cannot have passed the tail that is read after it.
    const std::uint64_t head = head_.Load(kOrder);
    return head == tail_.Load(kOrder);
  }

  std::size_t Size() const noexcept {
    const std::uint64_t head = head_.Load(kOrder);
    return static_cast<std::size_t>(tail_.Load(kOrder) - head);
  }

  std::size_t Capacity() const noexcept {
    return capacity_;
  }

 private:
  // seq_cst: pairs with all others here; it is what `++tail` of a std::atomic means.
  static constexpr memory_order kOrder = memory_order_seq_cst;

  // `share`: how many of `size` tasks to take.
  template <typename Share>
  std::size_t Take(std::span<TaskBase*> out, Share share) noexcept {
    std::uint64_t head = head_.Load(kOrder);
    for (;;) {
      const std::uint64_t size = tail_.Load(kOrder) - head;
      if (size == 0) {
        return 0;
      }
      if (size > capacity_) {  // the head is an old one
        head = head_.Load(kOrder);
        continue;
      }
      const std::size_t count = std::min<std::size_t>(share(size), out.size());
      for (std::size_t i = 0; i < count; ++i) {
        out[i] = Slot(head + i).Load(kOrder);
      }
      if (head_.CompareExchange(head, head + count, kOrder, kOrder)) {
        return count;
      }
    }
  }

  Atomic<TaskBase*>& Slot(std::uint64_t index) noexcept {
    return slots_[index & (capacity_ - 1)];
  }

  const std::size_t capacity_;
  const std::unique_ptr<Atomic<TaskBase*>[]> slots_;
  Atomic<std::uint64_t> head_{0};
  Atomic<std::uint64_t> tail_{0};
};

static_assert(contracts::LocalQueue<LFABQueue>);

}  // namespace schedbench::schedulers

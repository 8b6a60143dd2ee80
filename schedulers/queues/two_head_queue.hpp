#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "schedulers/queues/contracts.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace schedbench::schedulers {

// A bounded lock-free ring with two heads: tasks before `claimed` belong to takers, slots before
// `released` are free again. A thief first claims, then copies, then releases. So no copy is
// wasted; while it copies, no second thief can begin and the owner cannot use the slots again. This
// is the algorithm of Tokio's local queue (runtime/scheduler/multi_thread/queue.rs). README.md
// compares the two rings. (I1) released <= claimed <= tail <= released + capacity. (I2) The owner
// alone writes tail and the slots in [tail, released + capacity). (I3) A task is taken by the one
// exchange that moves `claimed` over it. (I4) released < claimed only while a thief copies; it
// alone ends that. `Index`: an unsigned type of at most 32 bits; indices are taken modulo its
// range.
template <typename Index = std::uint32_t>
class BasicTwoHeadQueue {
 public:
  explicit BasicTwoHeadQueue(std::size_t capacity, Sharing /*sharing*/ = Sharing::kStealable)
      : capacity_(static_cast<Index>(capacity)),
        mask_(capacity - 1),
        slots_(std::make_unique<Atomic<TaskBase*>[]>(capacity)) {
    SB_ASSERT(capacity >= 2 && std::has_single_bit(capacity), "capacity must be a power of two");
  }

  // Owner only. False also while a thief that copies keeps empty slots.
  bool TryPush(TaskBase* task) noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    if (static_cast<Index>(tail - known_released_) == capacity_) {
      // acquire: pairs with (copied): the thief has read the slot that we are about to overwrite.
      known_released_ = Released(heads_.Load(memory_order_acquire));
      if (static_cast<Index>(tail - known_released_) == capacity_) {
        return false;
      }
    }
    // relaxed: published by the store of tail_.
    Slot(tail).Store(task, memory_order_relaxed);
    // release (push): pairs with the acquire of tail_ in Grab().
    tail_.Store(static_cast<Index>(tail + 1), memory_order_release);
    return true;
  }

  // Owner only. Returns how many it took: even an empty ring lacks the slots from which a thief
  // copies, and all that the owner has used since.
  std::size_t PushMany(std::span<TaskBase* const> tasks) noexcept {
    std::size_t pushed = 0;
    while (pushed < tasks.size() && TryPush(tasks[pushed])) {
      ++pushed;
    }
    return pushed;
  }

  // Owner only.
  TaskBase* TryPop() noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    // relaxed: the slots are our own; the exchange notices if the heads have moved.
    Word heads = heads_.Load(memory_order_relaxed);
    while (Claimed(heads) != tail) {
      const auto next = static_cast<Index>(Claimed(heads) + 1);
      const Word moved = IsBusy(heads) ? Pack(Released(heads), next) : Pack(next, next);
      // relaxed: publishes nothing; a read-modify-write continues the release sequence of (copied).
      if (heads_.CompareExchangeWeak(heads, moved, memory_order_relaxed, memory_order_relaxed)) {
        // relaxed: written by this thread, which alone could overwrite it.
        return Slot(static_cast<Index>(next - 1)).Load(memory_order_relaxed);
      }
    }
    return nullptr;
  }

  // Any thread. 0 also while another thief copies.
  std::size_t Grab(std::span<TaskBase*> out) noexcept {
    Word heads = heads_.Load(memory_order_relaxed);
    Index first = 0;
    std::size_t count = 0;
    for (;;) {
      if (IsBusy(heads)) {
        return 0;
      }
      first = Claimed(heads);
      // acquire: pairs with (push): the slots below tail are written.
      const auto size = static_cast<Index>(tail_.Load(memory_order_acquire) - first);
      if (size == 0) {
        return 0;
      }
      if (size > capacity_) {  // an old tail, which the head has passed
        CpuRelax();
        heads = heads_.Load(memory_order_relaxed);
        continue;
      }
      count = std::min(static_cast<std::size_t>(size - size / 2), out.size());
      // relaxed: the claim only keeps others away; the slots were published with the tail.
      if (heads_.CompareExchangeWeak(heads, Pack(first, static_cast<Index>(first + count)),
                                     memory_order_relaxed, memory_order_relaxed)) {
        break;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      // relaxed: the slots are ours until (copied).
      out[i] = Slot(static_cast<Index>(first + i)).Load(memory_order_relaxed);
    }
    heads = Pack(first, static_cast<Index>(first + count));
    // (copied) release: pairs with the acquire in TryPush(): our reads of the slots come first.
    // relaxed: on failure the owner has popped, and we look again.
    while (!heads_.CompareExchangeWeak(heads, Pack(Claimed(heads), Claimed(heads)),
                                       memory_order_release, memory_order_relaxed)) {
    }
    return count;
  }

  bool IsEmpty() const noexcept {
    // relaxed: both, as in WorkStealingQueue.
    return Claimed(heads_.Load(memory_order_relaxed)) == tail_.Load(memory_order_relaxed);
  }

  std::size_t Size() const noexcept {
    // relaxed: both; they need not belong together.
    const Index head = Claimed(heads_.Load(memory_order_relaxed));
    return std::min(static_cast<Index>(tail_.Load(memory_order_relaxed) - head), capacity_);
  }

  std::size_t Capacity() const noexcept {
    return static_cast<std::size_t>(capacity_);
  }

 private:
  using Word = std::uint64_t;

  static constexpr unsigned kIndexBits = 32;
  static_assert(sizeof(Index) <= sizeof(std::uint32_t));

  static constexpr Word Pack(Index released, Index claimed) noexcept {
    return static_cast<Word>(static_cast<std::size_t>(released)) << kIndexBits |
           static_cast<std::size_t>(claimed);
  }

  static constexpr Index Released(Word heads) noexcept {
    return static_cast<Index>(heads >> kIndexBits);
  }

  static constexpr Index Claimed(Word heads) noexcept {
    return static_cast<Index>(static_cast<std::uint32_t>(heads));
  }

  static constexpr bool IsBusy(Word heads) noexcept {
    return Released(heads) != Claimed(heads);
  }

  Atomic<TaskBase*>& Slot(Index index) noexcept {
    return slots_[static_cast<std::size_t>(index) & mask_];
  }

  const Index capacity_;
  const std::size_t mask_;
  const std::unique_ptr<Atomic<TaskBase*>[]> slots_;
  // Owner only: Released() as last seen.
  Index known_released_ = 0;

  // Written by the owner and by thieves. relaxed: an old value makes the exchange fail.
  alignas(kCacheLine) Atomic<Word> heads_{0};
  // Written by the owner, read by thieves. relaxed: the owner is the only one to write it.
  alignas(kCacheLine) Atomic<Index> tail_{0};
};

using TwoHeadQueue = BasicTwoHeadQueue<>;

static_assert(contracts::LocalQueue<TwoHeadQueue>);

}  // namespace schedbench::schedulers

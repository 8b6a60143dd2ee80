#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "schedulers/queues/contracts.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace schedbench::schedulers {

// The local queue of a worker: a bounded lock-free ring, first in, first out. The owner pushes at
// the tail and pops at the head; thieves grab from the head too. The algorithm is that of Go's runq
// (runtime/proc.go), with indices that never wrap in practice. README.md has protocol and proof.
// (I1) 0 <= tail - head <= capacity, except in the middle of TryTakeBack(). (I2) Only the owner
// writes tail and the slots in [tail, head+capacity). (I3) head only grows. (I4) A task leaves
// exactly once: by the step that moves head over it, or in TryTakeBack(). `Index`: an unsigned
// type; indices are taken modulo its range, which must be many times the capacity. 64 bits do not
// wrap: TryTakeBack() advances by a capacity, so 2^64 / 256 of them at 10 ns take 22 years.
template <typename Index = std::uint64_t>
class BasicWorkStealingQueue {
 public:
  // `capacity`: a power of two, at least 2.
  explicit BasicWorkStealingQueue(std::size_t capacity, Sharing sharing = Sharing::kStealable)
      : capacity_(static_cast<Index>(capacity)),
        mask_(capacity - 1),
        shared_(sharing == Sharing::kStealable),
        slots_(std::make_unique<Atomic<TaskBase*>[]>(capacity)) {
    SB_ASSERT(capacity >= 2 && std::has_single_bit(capacity), "capacity must be a power of two");
  }

  // Owner only. Returns false when full.
  SB_ALWAYS_INLINE bool TryPush(TaskBase* task) noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    if (static_cast<Index>(tail - known_head_) == capacity_ && !HasRoom(tail)) [[unlikely]] {
      return false;
    }
    // relaxed: published by the store of tail_.
    Slot(tail).Store(task, memory_order_relaxed);
    // release (push): pairs with the acquire of tail_ in Grab().
    tail_.Store(static_cast<Index>(tail + 1), memory_order_release);
    return true;
  }

  // Owner only. Requires: the ring is empty, and the tasks fit. Takes them all.
  std::size_t PushMany(std::span<TaskBase* const> tasks) noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    // acquire: pairs with (grab), as in HasRoom(): the slots that we overwrite have been read.
    known_head_ = head_.Load(memory_order_acquire);
    SB_ASSERT(known_head_ == tail && tasks.size() <= capacity_,
              "the tasks must fit in an empty ring");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      // relaxed: published by the store of tail_.
      Slot(static_cast<Index>(tail + i)).Store(tasks[i], memory_order_relaxed);
    }
    // release (push): pairs with the acquire of tail_ in Grab().
    tail_.Store(static_cast<Index>(tail + tasks.size()), memory_order_release);
    return tasks.size();
  }

  // Owner only. Returns null when empty.
  SB_ALWAYS_INLINE TaskBase* TryPop() noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    // relaxed: the slots are our own; the exchange below notices if head has moved.
    Index head = head_.Load(memory_order_relaxed);
    while (head != tail) {
      // relaxed: written by this thread.
      TaskBase* const task = Slot(head).Load(memory_order_relaxed);
      if (!shared_) {
        // relaxed: others read it only in IsEmpty(), which promises no order.
        head_.Store(static_cast<Index>(head + 1), memory_order_relaxed);
        return task;
      }
      // relaxed: an owner's pop publishes nothing, and as a read-modify-write it continues the
      // release sequence of a thief's (grab), so that HasRoom() still pairs with the thief.
      if (head_.CompareExchangeWeak(head, static_cast<Index>(head + 1), memory_order_relaxed,
                                    memory_order_relaxed)) {
        return task;
      }
    }
    return nullptr;
  }

  // Owner only. Removes `task` if it is one of the newest tasks, and keeps the order of the others.
  // Returns false if it is not there, or if the ring is full. Moves head by a whole capacity, so
  // that each slot stays that of its task and thieves with an older head fail. Until tail follows,
  // head is beyond it, and thieves see more tasks than fit.
  SB_ALWAYS_INLINE bool TryTakeBack(const TaskBase* task) noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    const Index turn = shared_ ? capacity_ : Index{0};
    // relaxed: as in TryPop().
    Index head = head_.Load(memory_order_relaxed);
    for (;;) {
      const auto size = static_cast<Index>(tail - head);
      const std::size_t age = AgeOf(task, tail, static_cast<std::size_t>(size));
      // In a full ring head would meet tail, and readers would find it empty.
      if (age == 0 || size == capacity_) {
        return false;
      }
      // acquire: pairs with (grab), as in HasRoom(). relaxed: on failure a thief has moved head.
      if (shared_ && !head_.CompareExchange(head, static_cast<Index>(head + turn),
                                            memory_order_acquire, memory_order_relaxed)) {
        continue;
      }
      known_head_ = static_cast<Index>(head + turn);
      for (std::size_t newer = age - 1; newer > 0; --newer) {
        // relaxed: written by this thread, and published by the store of tail_.
        Slot(static_cast<Index>(tail - newer - 1))
            .Store(Slot(static_cast<Index>(tail - newer)).Load(memory_order_relaxed),
                   memory_order_relaxed);
      }
      // release (push): pairs with the acquire of tail_ in Grab().
      tail_.Store(static_cast<Index>(tail - 1 + turn), memory_order_release);
      return true;
    }
  }

  // Owner only. Returns the task that the next TryPop() would return, or null. A hint: the task may
  // be stolen, run and freed by now. It may be prefetched, but not touched.
  SB_ALWAYS_INLINE const TaskBase* PeekNext() const noexcept {
    // relaxed: a hint, which is not followed.
    const Index head = head_.Load(memory_order_relaxed);
    return head == tail_.Load(memory_order_relaxed)
               ? nullptr
               : slots_[static_cast<std::size_t>(head) & mask_].Load(memory_order_relaxed);
  }

  // Any thread. Moves the older half of the tasks, rounded up, at most out.size(), to `out` and
  // returns how many; 0 when empty.
  std::size_t Grab(std::span<TaskBase*> out) noexcept {
    return Grab(out, [](Index size) { return size - size / 2; });
  }

  // Grab() for all tasks, at most out.size().
  std::size_t GrabAll(std::span<TaskBase*> out) noexcept {
    return Grab(out, [](Index size) { return size; });
  }

  // Owner only. Moves the newer half of a full ring to `out` (capacity / 2 slots), oldest first.
  // Returns false, with nothing moved, when the ring is not full any more. Claims all tasks by
  // moving head to the tail, then shows the older half again by advancing the tail: tail - head was
  // the capacity, so the positions from the old tail on are the slots of the older half.
  bool TryTakeNewerHalf(std::span<TaskBase*> out) noexcept {
    const Index tail = tail_.Load(memory_order_relaxed);
    Index head = static_cast<Index>(tail - capacity_);
    // relaxed: as in TryPop().
    if (!head_.CompareExchange(head, tail, memory_order_relaxed, memory_order_relaxed)) {
      return false;
    }
    const Index half = capacity_ / 2;
    for (Index i = 0; i < half; ++i) {
      // relaxed: written by this thread; no thread writes here before the tail comes round.
      out[i] = Slot(static_cast<Index>(tail + half + i)).Load(memory_order_relaxed);
    }
    known_head_ = tail;
    // release (push): pairs with the acquire of tail_ in Grab().
    tail_.Store(static_cast<Index>(tail + half), memory_order_release);
    return true;
  }

  // Any thread. True: every task whose push happens before the call has been taken, or is in the
  // hands of its owner in the middle of an offload. False may be outdated.
  SB_ALWAYS_INLINE bool IsEmpty() const noexcept {
    // relaxed: both. Such a push has moved tail, which is thus not read from before it; then only a
    // head beyond the task makes them equal.
    return head_.Load(memory_order_relaxed) == tail_.Load(memory_order_relaxed);
  }

  std::size_t Size() const noexcept {
    // relaxed: both; they need not belong together.
    const Index head = head_.Load(memory_order_relaxed);
    return std::min(static_cast<Index>(tail_.Load(memory_order_relaxed) - head), capacity_);
  }

  std::size_t Capacity() const noexcept {
    return capacity_;
  }

 private:
  // How many tasks TryTakeBack() compares. A fiber that starts some and then joins them in the same
  // order finds the first one here.
  static constexpr std::size_t kNewest = 16;
  // How often Grab() reads two indices that do not belong together. The owner moves one after the
  // other within some nanoseconds, unless the kernel stops it there.
  static constexpr int kTries = 8;

  // `share`: returns how many of `size` tasks to take.
  template <typename Share>
  SB_ALWAYS_INLINE std::size_t Grab(std::span<TaskBase*> out, Share share) noexcept {
    for (int tries = kTries;;) {
      // relaxed: an old head makes the exchange fail; with a tail older than head, size > capacity.
      Index head = head_.Load(memory_order_relaxed);
      // acquire: pairs with (push): the slots below tail are written.
      const Index tail = tail_.Load(memory_order_acquire);
      const auto size = static_cast<Index>(tail - head);
      if (size == 0) {
        return 0;
      }
      if (size > capacity_) {
        // They do not belong together, or the owner is in the middle of TryTakeBack().
        if (--tries == 0) {
          return 0;
        }
        CpuRelax();
        continue;
      }
      const std::size_t count = std::min(static_cast<std::size_t>(share(size)), out.size());
      for (std::size_t i = 0; i < count; ++i) {
        // relaxed: ordered by tail_; if the owner overwrote the slot, head has moved and we retry.
        out[i] = Slot(static_cast<Index>(head + i)).Load(memory_order_relaxed);
      }
      // release (grab): pairs with the acquire in HasRoom() and PushMany(): our reads of the slots
      // come first. relaxed: on failure all is read again.
      if (head_.CompareExchange(head, static_cast<Index>(head + count), memory_order_release,
                                memory_order_relaxed)) {
        return count;
      }
      CpuRelax();
    }
  }

  // Owner only. Returns 1 if `task` is the newest of `size` tasks, 2 for the one before it, ...; 0
  // if it is none of the kNewest newest.
  SB_ALWAYS_INLINE std::size_t AgeOf(const TaskBase* task, Index tail,
                                     std::size_t size) const noexcept {
    for (std::size_t age = 1; age <= std::min(size, kNewest); ++age) {
      // relaxed: written by this thread.
      if (slots_[static_cast<std::size_t>(static_cast<Index>(tail - age)) & mask_].Load(
              memory_order_relaxed) == task) {
        return age;
      }
    }
    return 0;
  }

  SB_ALWAYS_INLINE Atomic<TaskBase*>& Slot(Index index) noexcept {
    return slots_[static_cast<std::size_t>(index) & mask_];
  }

  // Owner only. Reads the real head, on the thieves' cache line, which TryPush() avoids.
  SB_NOINLINE bool HasRoom(Index tail) noexcept {
    // acquire: pairs with (grab): the thief has read the slot that we are about to overwrite.
    known_head_ = head_.Load(memory_order_acquire);
    return static_cast<Index>(tail - known_head_) < capacity_;
  }

  const Index capacity_;
  const std::size_t mask_;
  const bool shared_;
  const std::unique_ptr<Atomic<TaskBase*>[]> slots_;
  // Owner only: head as last seen. Never ahead of head_.
  Index known_head_ = 0;

  // Written by the owner and by thieves.
  alignas(kCacheLine) Atomic<Index> head_{0};
  // Written by the owner, read by thieves. relaxed: the owner is the only one to write it.
  alignas(kCacheLine) Atomic<Index> tail_{0};
};

using WorkStealingQueue = BasicWorkStealingQueue<>;

static_assert(contracts::LocalQueue<WorkStealingQueue>);

}  // namespace schedbench::schedulers

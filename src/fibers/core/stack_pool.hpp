#pragma once

#include "base/atomic.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/stack_config.hpp"
#include "fibers/core/stack_registry.hpp"
#include "metrics/pool_metrics.hpp"
#include "platform/threads/mutex.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace schedbench::fibers {

// Where fiber stacks come from: slabs of stacks that are mapped once and never given back to the system
// before the pool ends. Thread-safe; threads take and give back batches through a StackCache of their own.
class StackPool {
 public:
  // Maps no memory until the first Take().
  explicit StackPool(const StackConfig& config);

  // Makes a pool that outlives its owner if a fiber does: a suspended fiber that may still be resumed needs its stack, and
  // returns it to the pool in the end. Such a pool is leaked with its memory.
  struct Retire {
    void operator()(StackPool* pool) const noexcept;
  };
  using Owner = std::unique_ptr<StackPool, Retire>;
  // Makes such a pool for a scheduler.
  static Owner Make(const StackConfig& config);

  // Gives up the suspended fibers on the stacks: no timer and no descriptor resumes them any more, and no thread is about to.
  // A scheduler calls it when it has stopped: it may be destroyed then. Any thread.
  void Abandon() const noexcept;

  // Adds a function that Abandon() calls: the timer service drops timers, and the poller what waits for descriptors. At most two.
  // Any thread.
  static void AddAbandonHook(void (*hook)(const StackPool&)) noexcept;

  // Unmaps the stacks. Requires: all fiber stacks are back.
  ~StackPool();

  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // The pool of threads that belong to no scheduler. Lives as long as the process.
  static StackPool& Default();

  // Fills `out` with the idle fiber stacks that were given back last, in the same order; makes them where none is left. In
  // that order fibers that suspend one after the other lie side by side, also after many rounds: a shuffled order takes more
  // misses of caches and TLB. Ends the run (FailRun) when the system refuses memory or guards.
  void Take(std::span<FiberStack*> out) noexcept;

  // Returns idle fiber stacks of this pool, for any thread to take. Any thread.
  void GiveBack(std::span<FiberStack* const> fiber_stacks) noexcept;

  // Of each stack, guard page included.
  std::size_t StackBytes() const noexcept {
    return config_.bytes;
  }

  // Stacks made so far.
  std::size_t Created() const noexcept;

  // Adds what is known of stacks.
  void Count(metrics::PoolMetrics& pool) const noexcept;

  // Whether `address` lies on one of its stacks. Any thread.
  bool Contains(const void* address) const noexcept;

  // Whether none is with a fiber or in a thread's cache.
  bool AllReturned() noexcept;

 private:
  // 64: a slab of default stacks is 4.25 MiB of address space; fewer mappings than any other resource.
  static constexpr std::size_t kStacksPerSlab = StackRegistry::kStacksPerSlab;

  struct Slab {
    char* lowest;
    SlabRecord* record;
  };

  // Memory for a stack that has not been made yet.
  struct Place {
    char* lowest;
    std::size_t index;  // in its slab
    SlabRecord* record;
  };

  std::size_t SlabBytes() const noexcept {
    return kStacksPerSlab * StackRegistry::StrideBytes(config_.bytes);
  }

  // Require: the caller holds mutex_.
  Place NextPlace() noexcept;
  void ReserveIdle() noexcept;
  FiberStack* Create(const Place& place) noexcept;
  void Guard(void* page) noexcept;

  const StackConfig config_;
  mutable platform::Mutex mutex_;
  // Guarded by mutex_.
  std::vector<Slab> slabs_;
  std::size_t places_ = 0;  // given out
  std::uint64_t batches_taken_ = 0;
  std::size_t created_ = 0;  // or being made
  // Pointers: a list through the stacks would touch each of them, under the lock. Has room for all that were created.
  std::vector<FiberStack*> idle_;

  Atomic<std::size_t> mprotect_guards_{0};
  Atomic<bool> madvise_refused_{false};
};

// A thread's own stock of idle fiber stacks, newest first: its top pages are in this core's cache.
class StackCache {
 public:
  // Takes from and returns to `pool`, which must outlive the cache.
  explicit StackCache(StackPool& pool) noexcept
      : pool_(&pool) {
  }

  ~StackCache() {
    pool_->GiveBack({idle_.data(), idle_count_});
  }

  StackCache(const StackCache&) = delete;
  StackCache& operator=(const StackCache&) = delete;

  // An idle fiber stack; from the pool, 16 at a time, if the cache is empty. The owner of the
  // cache.
  SB_ALWAYS_INLINE FiberStack& Take() noexcept {
    if (idle_count_ == 0) [[unlikely]] {
      pool_->Take({idle_.data(), kBatch});
      idle_count_ = kBatch;
    }
    FiberStack* const taken = idle_[--idle_count_];
    FiberStack::Prefetch(idle_count_ == 0 ? nullptr : idle_[idle_count_ - 1]);
    return *taken;
  }

  // Keeps an idle fiber stack; returns it to its pool if the cache is full or the stack is of
  // another pool. The owner of the cache.
  SB_ALWAYS_INLINE void Put(FiberStack& fiber_stack) noexcept {
    if (&fiber_stack.Pool() != pool_ || idle_count_ == kLimit) [[unlikely]] {
      PutSlow(fiber_stack);
      return;
    }
    idle_[idle_count_++] = &fiber_stack;
  }

 private:
  // Fibers begin on one thread and end on another: stacks flow back through the pool, 16 for one lock.
  static constexpr std::size_t kBatch = 16;
  static constexpr std::size_t kLimit = 64;

  void PutSlow(FiberStack& fiber_stack) noexcept;

  StackPool* pool_;
  std::size_t idle_count_ = 0;
  std::array<FiberStack*, kLimit> idle_;  // the newest last
};

}  // namespace schedbench::fibers

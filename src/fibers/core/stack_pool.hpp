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

// A source of fiber stacks. It maps slabs of stacks and unmaps them only when the pool ends.
// Thread-safe; each thread takes and returns batches through its own StackCache.
class StackPool {
 public:
  // Maps no memory until the first Take().
  explicit StackPool(const StackConfig& config);

  // Retires a pool. If a suspended fiber may still be resumed, the pool outlives its owner: the
  // fiber needs its stack and returns it in the end. Such a pool is leaked with its memory.
  struct Retire {
    void operator()(StackPool* pool) const noexcept;
  };
  using Owner = std::unique_ptr<StackPool, Retire>;
  // Makes a pool that Retire ends, for a scheduler.
  static Owner Make(const StackConfig& config);

  // Gives up the suspended fibers on the stacks: afterwards neither a timer nor a descriptor
  // resumes them, and no thread is about to. A scheduler calls it after its stop. Any thread.
  void Abandon() const noexcept;

  // Adds a function, at most two, that Abandon() calls: the timer service drops timers, and the
  // poller drops waits for descriptors. Any thread.
  static void AddAbandonHook(void (*hook)(const StackPool&)) noexcept;

  // Unmaps the stacks. Requires: all fiber stacks have been returned.
  ~StackPool();

  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Returns the pool of threads outside of schedulers. It lives as long as the process.
  static StackPool& Default();

  // Fills `out` with the idle fiber stacks that were returned last, in the same order, and makes
  // the missing ones. The order keeps fibers that suspend one after the other adjacent in memory,
  // also after many rounds; a shuffled order has more misses of caches and TLB. Ends the run
  // (FailRun) when the system refuses memory or guards.
  void Take(std::span<FiberStack*> out) noexcept;

  // Returns idle fiber stacks of this pool, for any thread to take. Any thread.
  void GiveBack(std::span<FiberStack* const> fiber_stacks) noexcept;

  // Returns the size of each stack, including its guard page.
  std::size_t StackBytes() const noexcept {
    return config_.bytes;
  }

  // Returns the number of stacks made so far.
  std::size_t Created() const noexcept;

  // Adds the metrics of stacks.
  void Count(metrics::PoolMetrics& pool) const noexcept;

  // Returns whether `address` lies on one of the pool's stacks. Any thread.
  bool Contains(const void* address) const noexcept;

  // Returns whether all stacks are in the pool: not in a fiber and not in a thread's cache.
  bool AllReturned() noexcept;

 private:
  // 64 default stacks are a slab of 4.25 MiB of address space, so there are few mappings.
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

  // These two require that the caller holds mutex_.
  Place NextPlace() noexcept;
  void ReserveIdle() noexcept;

  void Prepare(std::span<const Place> places) noexcept;
  FiberStack* Create(const Place& place) noexcept;
  void Guard(void* page) noexcept;

  const StackConfig config_;
  // The most guards by mprotect: each splits a mapping in two, and half of the kernel's limit is
  // for other mappings. The constructor reads it, because fibers have little room to read a file.
  const std::size_t most_guards_;
  mutable platform::Mutex mutex_;
  // Guarded by mutex_.
  std::vector<Slab> slabs_;
  std::size_t places_ = 0;  // number of Place values given out
  std::uint64_t batches_taken_ = 0;
  std::size_t created_ = 0;  // including stacks that are being made
  // Pointers, because a list through the stacks would touch each of them under the lock. The
  // capacity is enough for all created stacks.
  std::vector<FiberStack*> idle_;

  Atomic<std::size_t> mprotect_guards_{0};  // relaxed: a count
  // relaxed: they only save other threads a system call that the kernel would refuse too.
  Atomic<bool> madvise_refused_{false};
  Atomic<bool> batches_refused_{false};
};

// A thread's stock of idle fiber stacks, newest first: their top pages are in the core's cache.
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

  // Returns an idle fiber stack. An empty cache takes some from the pool: as many as it has taken
  // before, at least one and at most 16. Only the owner calls it.
  SB_ALWAYS_INLINE FiberStack& Take() noexcept {
    if (idle_count_ == 0) [[unlikely]] {
      Refill();
    }
    FiberStack* const taken = idle_[--idle_count_];
    FiberStack::Prefetch(idle_count_ == 0 ? nullptr : idle_[idle_count_ - 1]);
    return *taken;
  }

  // Keeps an idle fiber stack, or returns it to its pool if the cache is full or the pool is
  // another one. Only the owner calls it.
  SB_ALWAYS_INLINE void Put(FiberStack& fiber_stack) noexcept {
    if (&fiber_stack.Pool() != pool_ || idle_count_ == kLimit) [[unlikely]] {
      PutSlow(fiber_stack);
      return;
    }
    idle_[idle_count_++] = &fiber_stack;
  }

 private:
  // Fibers start on one thread and end on another, so stacks return through the pool: 16 per lock.
  static constexpr std::size_t kBatch = 16;
  static constexpr std::size_t kLimit = 64;

  void Refill() noexcept;
  void PutSlow(FiberStack& fiber_stack) noexcept;

  StackPool* pool_;
  // A worker without fibers that suspend needs one stack, and each takes a page when it is made.
  std::size_t taken_from_pool_ = 0;
  std::size_t idle_count_ = 0;
  std::array<FiberStack*, kLimit> idle_;  // the newest is the last
};

}  // namespace schedbench::fibers

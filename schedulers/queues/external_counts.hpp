#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "executors/task.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// The number of tasks that a thread which is not a worker submits at a time, and how many of them
// are not parts of resumed fibers. It walks over a list: make it before a lock is taken.
struct ExternalBatch {
  explicit ExternalBatch(const executors::TaskBase& task) noexcept {
    Add(task);
  }

  explicit ExternalBatch(const IntrusiveList<executors::TaskBase>& list) noexcept {
    list.ForEach([this](const executors::TaskBase& task) { Add(task); });
  }

  std::uint64_t tasks = 0;
  std::uint64_t spawned = 0;

 private:
  void Add(const executors::TaskBase& task) noexcept {
    ++tasks;
    spawned += task.kind != executors::TaskKind::kSuspendedFiber ? 1 : 0;
  }
};

// Counts external submissions. Count a batch before it can be seen: a thread that has one of its
// tasks, or a result of its run, sees it counted. Count it as pushed before, so this is seen too.
class ExternalCounts {
 public:
  // Counts a batch. Any thread.
  void Count(const ExternalBatch& batch) noexcept {
    // release: pairs with the acquire in Submissions().
    submissions_.FetchAdd(batch.tasks, memory_order_release);
    if (batch.spawned > 0) {
      spawns_.FetchAdd(batch.spawned, memory_order_relaxed);
    }
  }

  // Counts a batch with a load and a store. The caller holds the lock that guards all such calls.
  void CountGuarded(const ExternalBatch& batch) noexcept {
    // relaxed: one writer at a time. release: pairs with the acquire in Submissions().
    submissions_.Store(submissions_.Load(memory_order_relaxed) + batch.tasks, memory_order_release);
    if (batch.spawned > 0) {
      spawns_.Store(spawns_.Load(memory_order_relaxed) + batch.spawned, memory_order_relaxed);
    }
  }

  // Number of tasks so far. Includes at least those whose submit, or run, happens before the call.
  // Those included are counted as pushed. Any thread.
  std::uint64_t Submissions() const noexcept {
    // acquire: pairs with the releases in Count() and CountGuarded(), for a worker before a pause.
    return submissions_.Load(memory_order_acquire);
  }

  // Number of tasks so far that are not parts of resumed fibers. Includes at least those whose
  // submit, or run, happens before the call. Any thread.
  std::uint64_t Spawns() const noexcept {
    return spawns_.Load(memory_order_relaxed);
  }

 private:
  Atomic<std::uint64_t> submissions_{0};
  // relaxed: one writer at a time; the caller's happens-before is enough.
  Atomic<std::uint64_t> spawns_{0};
};

}  // namespace schedbench::schedulers

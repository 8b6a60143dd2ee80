#pragma once

#include "fibers/core/stack_pool.hpp"
#include "platform/thread.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/fast/config.hpp"
#include "schedulers/fast/coordinator.hpp"
#include "schedulers/fast/worker.hpp"
#include "schedulers/queues/global_queue.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace schedbench::schedulers::fast {

// The scheduler of document 004: a fixed set of workers with a queue each, a global queue that evens them out,
// and work stealing. What happens where: README.md in this folder.
class ThreadPool final : public registry::IScheduler {
 public:
  // Starts the workers. Requires: config.workers >= 1.
  ThreadPool(const FastConfig& config, std::uint64_t seed);
  ~ThreadPool() override;

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;
  void WaitIdle() noexcept override;
  void Stop() noexcept override;
  std::vector<registry::WorkerReading> ReadWorkers() const override;
  std::uint64_t SubmittedFromOutside() const noexcept override;

  // ---- For the workers ----

  const std::vector<std::unique_ptr<Worker>>& Workers() const noexcept {
    return workers_;
  }

  GlobalQueue& Global() noexcept {
    return global_queue_;
  }

  Coordinator& Coordination() noexcept {
    return coordinator_;
  }

  fibers::StackPool& Stacks() noexcept {
    return *stacks_;
  }

  // Whether any queue that others can take from holds a task. Global queue first: tasks move from there to
  // local queues, in the direction of the look.
  bool HasWork() const noexcept;

 private:
  // Not inlined: its thread_local must not be remembered over a switch by who calls it.
  SB_NOINLINE void SubmitFromOutside(TaskBase* task) noexcept;

  // Whether all tasks that were submitted are done.
  bool AllDone() const noexcept;

  GlobalQueue global_queue_;
  Coordinator coordinator_;
  fibers::StackPool::Owner stacks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  const std::uint64_t seed_;
  const std::uint64_t made_in_;  // platform::ForkGeneration()
  std::vector<platform::Thread> threads_;
};

}  // namespace schedbench::schedulers::fast

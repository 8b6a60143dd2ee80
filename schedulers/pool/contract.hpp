#pragma once

#include "fibers/core/stack_config.hpp"
#include "schedulers/pool/pool_worker.hpp"
#include "schedulers/queues/contracts.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

// What a scheduler provides to a WorkerPool. Its constructor checks this: a registration with an
// incomplete worker does not compile, and the compiler names the failed requirement.
namespace schedbench::schedulers::contracts {

// The fields of a config that the pool itself reads.
template <typename C>
concept PoolConfig = requires(const C& config) {
  { config.workers } -> std::convertible_to<std::uint32_t>;
  { config.max_searching } -> std::convertible_to<std::uint32_t>;
  { config.stacks.value } -> std::convertible_to<fibers::StackConfig>;
};

// A worker: its queues, where a submitted task goes, where the next one comes from. "Owner": only
// that worker calls it.
template <typename W>
concept Worker =
    std::derived_from<W, PoolWorker<W>> && PoolConfig<typename W::Config> &&
    std::constructible_from<W, typename W::Pool&, std::uint32_t, const typename W::Config&,
                            std::uint64_t> &&
    requires(W& worker, const W& constant, const typename W::Config& config, TaskBase* task,
             TaskList list, SchedulerHint hint) {
      // The first part of the names of its threads.
      { W::kThreadName } -> std::convertible_to<const char*>;
      // Returns the queue that the workers share, of the kind that the config names.
      { W::MakeGlobalQueue(config) } -> std::same_as<std::unique_ptr<IGlobalQueue>>;
      // Owner, from within a task. Others then see the tasks they can take, and are notified.
      { worker.Submit(task, hint) } noexcept -> std::same_as<void>;
      { worker.SubmitAll(std::move(list), hint) } noexcept -> std::same_as<void>;
      // Owner. Returns a task at hand, passed through Picked(), or null. Now and then it returns
      // null if RecheckRequested().
      { worker.TryPickTask() } noexcept -> std::same_as<TaskBase*>;
      // Owner, searching. Returns a task of another worker, or null.
      { worker.TryStealTasks() } noexcept -> std::same_as<TaskBase*>;
      // Owner. Returns a task of the global queue, or null. May move more to its queues.
      { worker.TryGrabTasksFromGlobalQueue() } noexcept -> std::same_as<TaskBase*>;
      // Owner. Takes all tasks out of its queues, also those that only it could take. The pool
      // never calls this for a lone worker.
      { worker.HandOffTasks() } noexcept -> std::same_as<TaskList>;
      // Any thread. Returns whether another worker could take a task here. True while a task waits
      // whose submit notified, if that submit happens before the call. A task in a LIFO slot counts
      // only if the slot wakes workers.
      { constant.HasTasksToSteal() } noexcept -> std::same_as<bool>;
      // Any thread. Returns how many tasks wait here, without a task that is to run next.
      { constant.TasksToRun() } noexcept -> std::same_as<std::size_t>;
      // Any thread. Returns how many tasks wait in each queue.
      { constant.Depths() } -> std::same_as<std::vector<QueueDepth>>;
    };

}  // namespace schedbench::schedulers::contracts

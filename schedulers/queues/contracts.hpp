#pragma once

#include "base/intrusive_list.hpp"
#include "executors/task.hpp"
#include "schedulers/queues/task_counts.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

// What a queue must provide to replace another one. README.md lists the queues.
namespace schedbench::schedulers {

using executors::TaskBase;
using TaskList = IntrusiveList<TaskBase>;

// Whether threads other than the owner take tasks. If not, some queues need no locked instruction.
enum class Sharing : std::uint8_t { kOwnerOnly, kStealable };

// Number of tasks that wait in a queue of a worker, for reports.
struct QueueDepth {
  std::string_view queue;
  std::size_t tasks;
};

namespace contracts {

// The queue of one worker. "Owner": only that worker calls the function.
template <typename Queue>
concept LocalQueue = requires(Queue& queue, const Queue& constant, TaskBase* task,
                              std::span<TaskBase*> out, std::span<TaskBase* const> tasks) {
  // Owner. Adds a task. False: the queue is full.
  { queue.TryPush(task) } noexcept -> std::same_as<bool>;
  // Owner. Requires: the queue is empty, and the tasks fit. Returns how many
  // it took, the first ones: fewer only where a copying thief keeps slots.
  { queue.PushMany(tasks) } noexcept -> std::same_as<std::size_t>;
  // Owner. Takes the oldest task; null: the queue is empty.
  { queue.TryPop() } noexcept -> std::same_as<TaskBase*>;
  // Any thread. Moves the older half, rounded up, at most out.size(); returns
  // how many. 0: empty, or others were faster.
  { queue.Grab(out) } noexcept -> std::same_as<std::size_t>;
  // Any thread. True: each task whose push happens before the call is taken. False may be outdated.
  { constant.IsEmpty() } noexcept -> std::same_as<bool>;
  // Any thread. Returns about how many tasks it held at some moment.
  { constant.Size() } noexcept -> std::same_as<std::size_t>;
  // Returns how many tasks fit; SIZE_MAX where there is no limit.
  { constant.Capacity() } noexcept -> std::same_as<std::size_t>;
};

}  // namespace contracts

// The queue that all workers share: unbounded; any thread may call any function. A worker calls it
// when its queues are empty or full, and at each global_poll_period-th pick. Such calls may be
// virtual: a pool is compiled once for all global queues. Counts() is not: it is called more often.
class IGlobalQueue {
 public:
  IGlobalQueue(const IGlobalQueue&) = delete;
  IGlobalQueue& operator=(const IGlobalQueue&) = delete;
  virtual ~IGlobalQueue() = default;

  // Adds a task at the tail.
  virtual void Push(TaskBase* task) noexcept = 0;
  // Push() by a thread that is not a worker; such pushes are counted apart.
  virtual void PushExternal(TaskBase* task) noexcept = 0;

  // Adds all tasks of a list, in its order.
  virtual void Append(TaskList&& batch) noexcept = 0;
  // Append() by a thread that is not a worker.
  virtual void AppendExternal(TaskList&& batch) noexcept = 0;

  // Takes the oldest task. Null: it is empty or only taken as a whole, or others were faster.
  virtual TaskBase* TryPop() noexcept = 0;

  // Moves one of `sharers` equal shares of the tasks, rounded up, at most out.size(), to `out` and
  // returns how many; 0 if TryPop() would return null. So others find work too.
  virtual std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept = 0;

  // Takes all tasks. The list is also empty if others were faster.
  virtual TaskList GrabAll() noexcept = 0;

  // Returns how often a thread found the lock of the queue taken; 0 if it has no lock.
  virtual std::uint64_t LockWaits() const noexcept {
    return 0;
  }

  // Returns the counts. IsEmpty() is also false while a push is under way. Taken() reaches what
  // Pushed() was; if the queue is strictly first in, first out, all earlier tasks are then taken.
  const TaskCounts& Counts() const noexcept {
    return counts_;
  }

 protected:
  IGlobalQueue() = default;

  TaskCounts counts_;
};

}  // namespace schedbench::schedulers

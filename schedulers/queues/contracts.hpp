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

// What a queue must have to take the place of another: the parts that schedulers are made of. Which models there are and
// how they differ: README.md.
namespace schedbench::schedulers {

using executors::TaskBase;
using TaskList = IntrusiveList<TaskBase>;

// Whether other threads than the owner take tasks from a local queue. Without, some need no locked instruction.
enum class Sharing : std::uint8_t { kOwnerOnly, kStealable };

// How many tasks wait in a queue of a worker, for reports.
struct QueueDepth {
  std::string_view queue;
  std::size_t tasks;
};

namespace contracts {

// The queue of one worker. "Owner": by that worker only.
template <typename Queue>
concept LocalQueue = std::constructible_from<Queue, std::size_t, Sharing> &&
                     requires(Queue& queue, const Queue& constant, TaskBase* task,
                              std::span<TaskBase*> out, std::span<TaskBase* const> tasks) {
                       // Owner. False: full.
                       { queue.TryPush(task) } noexcept -> std::same_as<bool>;
                       // Owner; requires that the queue is empty, and that the tasks fit. Returns
                       // how many it took, the first ones: fewer only where a copying thief keeps
                       // slots.
                       { queue.PushMany(tasks) } noexcept -> std::same_as<std::size_t>;
                       // Owner. The oldest task, or null when empty.
                       { queue.TryPop() } noexcept -> std::same_as<TaskBase*>;
                       // Any thread. The older half, rounded up, at most out.size(); returns how
                       // many. 0: empty, or others were faster.
                       { queue.Grab(out) } noexcept -> std::same_as<std::size_t>;
                       // Any thread. True: every task whose push happens before the call has been
                       // taken. False may be outdated.
                       { constant.IsEmpty() } noexcept -> std::same_as<bool>;
                       // Any thread. How many tasks it held at some moment of the call, about.
                       { constant.Size() } noexcept -> std::same_as<std::size_t>;
                       // Most tasks that fit; SIZE_MAX where there is no limit.
                       { constant.Capacity() } noexcept -> std::same_as<std::size_t>;
                     };

}  // namespace contracts

// The queue that all workers share: unbounded, and any thread may call any function. A worker calls it when its own queues are
// empty, at each global_poll_period-th pick, and when they are full. Such calls may be virtual, so that a pool is compiled once
// for all global queues; Counts(), which workers read more often, is not.
class IGlobalQueue {
 public:
  IGlobalQueue(const IGlobalQueue&) = delete;
  IGlobalQueue& operator=(const IGlobalQueue&) = delete;
  virtual ~IGlobalQueue() = default;

  // Adds a task at the tail.
  virtual void Push(TaskBase* task) noexcept = 0;
  // The same by a thread that is not a worker; such pushes are counted apart.
  virtual void PushExternal(TaskBase* task) noexcept = 0;

  // Adds all tasks of a list, in its order.
  virtual void Append(TaskList&& batch) noexcept = 0;
  // The same by a thread that is not a worker.
  virtual void AppendExternal(TaskList&& batch) noexcept = 0;

  // Takes the oldest task. Null: the queue is empty, others were faster, or it is only taken as a whole.
  virtual TaskBase* TryPop() noexcept = 0;

  // Moves one of `sharers` equal shares of the tasks, rounded up, at most out.size(), to `out` and returns how many. 0: as in
  // TryPop(). A share, so that workers that come at the same time find work too.
  virtual std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept = 0;

  // Takes all tasks. The list is also empty if others were faster.
  virtual TaskList GrabAll() noexcept = 0;

  // Returns how often a thread found the lock of the queue taken; 0 if it has no lock.
  virtual std::uint64_t LockWaits() const noexcept {
    return 0;
  }

  // Its IsEmpty() is also false of a push that is under way. What its Pushed() was, its Taken() reaches; where the queue is
  // strictly first in, first out, all tasks that were pushed before are then taken.
  const TaskCounts& Counts() const noexcept {
    return counts_;
  }

 protected:
  IGlobalQueue() = default;

  TaskCounts counts_;
};

}  // namespace schedbench::schedulers

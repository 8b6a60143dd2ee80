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

// What every global queue has: the queue that all workers share. Unbounded; any thread may call any method.
template <typename Queue>
concept TakeAllQueue =
    std::default_initializable<Queue> &&
    requires(Queue& queue, const Queue& constant, TaskBase* task, TaskList& list) {
      { queue.Push(task) } noexcept -> std::same_as<void>;
      // Called by a thread that is not a worker; such pushes are counted apart.
      { queue.PushExternal(task) } noexcept -> std::same_as<void>;
      // All of a list, in its order. A thread that is not a worker calls the second.
      { queue.Append(std::move(list)) } noexcept -> std::same_as<void>;
      { queue.AppendExternal(std::move(list)) } noexcept -> std::same_as<void>;
      // All of it, as one list. Empty also where others were faster.
      { queue.GrabAll() } noexcept -> std::same_as<TaskList>;
      // Its IsEmpty() is also false of a push that is under way. What its Pushed() was, its Taken()
      // reaches; where the queue is strictly first in, first out, all that were pushed before are
      // then taken.
      { constant.Counts() } noexcept -> std::same_as<const TaskCounts&>;
    };

// One from which single tasks can be taken as well.
template <typename Queue>
concept GlobalQueue =
    TakeAllQueue<Queue> && requires(Queue& queue, std::span<TaskBase*> out, std::size_t sharers) {
      // Null: empty, or others were faster.
      { queue.TryPop() } noexcept -> std::same_as<TaskBase*>;
      // One of `sharers` equal shares of the tasks, rounded up, at most out.size(); returns how
      // many. 0 as above.
      { queue.Grab(out, sharers) } noexcept -> std::same_as<std::size_t>;
    };

}  // namespace contracts

}  // namespace schedbench::schedulers

#pragma once

#include "base/atomic.hpp"
#include "schedulers/queues/contracts.hpp"
#include "schedulers/queues/take_all_stack.hpp"
#include "tests/sim/models/support.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace schedbench::sim {

// Whether single tasks can be taken from a global queue.
template <typename Queue>
inline constexpr bool kGivesSingleTasks = !std::is_same_v<Queue, schedulers::TakeAllStack>;

// Tasks 0 .. N - 1 and a global queue. A task carries what its producer wrote before the push.
template <typename Queue, std::size_t N>
struct GlobalScene {
  void Push(std::size_t task) {
    payload[task].Write(1);
    queue.Push(tokens[task]);
  }

  void Append(std::size_t first, std::size_t count) {
    schedulers::TaskList batch;
    for (std::size_t i = first; i < first + count; ++i) {
      payload[i].Write(1);
      batch.PushBack(tokens[i]);
    }
    queue.Append(std::move(batch));
  }

  // Returns how many.
  std::size_t TakeAll() {
    schedulers::TaskList all = queue.GrabAll();
    const std::size_t count = all.Size();
    while (executors::TaskBase* const task = all.TryPopFront()) {
      Take(task);
    }
    return count;
  }

  // One, where the queue gives single ones.
  std::size_t TakeOne() {
    if constexpr (kGivesSingleTasks<Queue>) {
      executors::TaskBase* const task = queue.TryPop();
      if (task != nullptr) {
        Take(task);
      }
      return task == nullptr ? 0 : 1;
    } else {
      return TakeAll();
    }
  }

  void Take(executors::TaskBase* task) {
    Check(payload[NumberOf(task)].Read() == 1, "a task comes before what was written before it");
    tokens.Take(task);
  }

  // When all others are done.
  void CheckEnd() {
    TakeAll();
    Check(queue.Counts().IsEmpty(), "an empty queue does not say so");
    Check(queue.Counts().Pushed() == N && queue.Counts().Taken() == N, "the counts are wrong");
    tokens.CheckAllTaken();
  }

  Tokens<N> tokens;
  std::array<Cell<int>, N> payload;
  Queue queue;
};

}  // namespace schedbench::sim

#pragma once

#include "base/atomic.hpp"
#include "base/failure.hpp"
#include "base/intrusive_list.hpp"
#include "base/random_choice.hpp"
#include "config/field.hpp"
#include "executors/task.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::schedulers::threads {

// The order in which the ready tasks run.
enum class Order : std::uint8_t {
  kFifo,    // the oldest
  kLifo,    // the newest; a yielding one goes last, so that two of them do not shut out others
  kRandom,  // any, with equal chances
};

constexpr std::array<std::string_view, 3> NamesOf(Order) {
  return {"fifo", "lifo", "random"};
}

// The ready tasks of one thread, in their order: a local queue from which no thread steals. Belongs
// to that thread; any thread may call IsEmpty() and Size().
// kRandom takes from the middle, for which a list through the tasks has no index. Its vector grows
// by doubling to the most tasks that were ever ready at a time, and never shrinks: after that
// nothing is allocated. It exists to repeat an order, not to be fast.
class ReadyTasks {
 public:
  using TaskBase = executors::TaskBase;

  // `seed`: all draws of kRandom follow from it.
  ReadyTasks(Order order, std::uint64_t seed)
      : order_(order),
        random_(seed) {
    if (order == Order::kRandom) {
      any_.reserve(kFirstRoom);
    }
  }

  bool TryPush(TaskBase* task) noexcept {
    if (order_ == Order::kLifo) [[unlikely]] {
      list_.PushFront(task);
      PublishSize();
    } else {
      PushLast(task);
    }
    return true;
  }

  // Adds a task that is to run after others.
  void PushLast(TaskBase* task) noexcept {
    if (order_ == Order::kRandom) [[unlikely]] {
      PushAny(task);
    } else {
      list_.PushBack(task);
    }
    PublishSize();
  }

  std::size_t PushMany(std::span<TaskBase* const> tasks) noexcept {
    for (TaskBase* const task : tasks) {
      TryPush(task);
    }
    return tasks.size();
  }

  // Returns the next task, or null when there is none. Draws only if there is a choice.
  TaskBase* TryPop() noexcept {
    TaskBase* const task = order_ == Order::kRandom ? TryPopAny() : list_.TryPopFront();
    if (task != nullptr) {
      PublishSize();
    }
    return task;
  }

  // There are no thieves.
  std::size_t Grab(std::span<TaskBase*> /*out*/) noexcept {
    return 0;
  }

  bool IsEmpty() const noexcept {
    return Size() == 0;
  }

  std::size_t Size() const noexcept {
    return size_.Load(memory_order_relaxed);
  }

  std::size_t Capacity() const noexcept {
    return std::numeric_limits<std::size_t>::max();
  }

 private:
  static constexpr std::size_t kFirstRoom = 1024;  // arbitrary

  void PushAny(TaskBase* task) noexcept {
    try {
      any_.push_back(task);
    } catch (const std::bad_alloc&) {
      FailRun("no memory for the tasks that are ready", FailureKind::kLimit);
    }
  }

  TaskBase* TryPopAny() noexcept {
    if (any_.empty()) {
      return nullptr;
    }
    const auto count = static_cast<std::uint32_t>(any_.size());
    TaskBase*& place = any_[count == 1 ? 0 : random_.Below(count)];
    TaskBase* const task = place;
    place = any_.back();
    any_.pop_back();
    return task;
  }

  void PublishSize() noexcept {
    size_.Store(list_.Size() + any_.size(), memory_order_relaxed);
  }

  const Order order_;
  // relaxed: a number for reports.
  Atomic<std::size_t> size_{0};
  IntrusiveList<TaskBase> list_;  // for all orders but kRandom
  std::vector<TaskBase*> any_;    // for kRandom
  RandomChoice random_;
};

}  // namespace schedbench::schedulers::threads

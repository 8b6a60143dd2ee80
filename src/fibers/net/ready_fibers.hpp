#pragma once

#include "base/assert.hpp"
#include "base/intrusive_list.hpp"
#include "executors/executor.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/handle.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace schedbench::fibers {

// Ready fibers that a poll has found and nothing has resumed yet. Only one thread uses it.
class ReadyFibers {
 public:
  // Enough for both directions of each event of a poll.
  static constexpr std::size_t kMax = 256;

  ReadyFibers() = default;
  ~ReadyFibers() {
    SB_ASSERT(IsEmpty(), "fibers would be lost");
  }

  ReadyFibers(const ReadyFibers&) = delete;
  ReadyFibers& operator=(const ReadyFibers&) = delete;

  // Adds a fiber; ignores an empty handle. Requires: room.
  void Add(FiberHandle fiber) noexcept {
    const executors::SchedulerSide side;
    if (fiber.IsValid()) {
      SB_ASSERT(count_ < kMax, "no room");
      executors::IExecutor* const executor = &fiber.Executor();
      entries_[count_++] = {.executor = executor, .task = fiber.TakeTask()};
    }
  }

  // Returns whether there is no fiber.
  bool IsEmpty() const noexcept {
    return count_ == 0;
  }
  // Returns the number of fibers.
  std::size_t Size() const noexcept {
    return count_;
  }

  // Takes out the fibers of `executor`, in their order, for a scheduler that distributes its own.
  IntrusiveList<executors::TaskBase> TakeOf(const executors::IExecutor& executor) noexcept {
    IntrusiveList<executors::TaskBase> taken;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].executor == &executor) {
        taken.PushBack(entries_[i].task);
      } else {
        entries_[kept++] = entries_[i];
      }
    }
    count_ = kept;
    return taken;
  }

  // Resumes all fibers, in one batch per executor. Do not call it on the scheduler's side.
  void SubmitAll() noexcept {
    const executors::SchedulerSide side;
    while (!IsEmpty()) {
      executors::IExecutor& executor = *entries_.front().executor;
      IntrusiveList<executors::TaskBase> tasks = TakeOf(executor);
      const executors::UserSide user;
      executor.SubmitAll(std::move(tasks), executors::SchedulerHint::UpToYou);
    }
  }

 private:
  struct Entry {
    executors::IExecutor* executor;
    executors::TaskBase* task;
  };

  std::size_t count_ = 0;
  std::array<Entry, kMax> entries_;
};

}  // namespace schedbench::fibers

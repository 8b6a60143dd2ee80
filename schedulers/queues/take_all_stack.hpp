#pragma once

#include "base/cache_line.hpp"
#include "schedulers/queues/contracts.hpp"
#include "schedulers/queues/counted_pushes.hpp"
#include "schedulers/queues/task_stack.hpp"

#include <utility>

namespace schedbench::schedulers {

// A global queue that is only taken as a whole, without a lock: GetAllFromGlob of the toucan report
// requires that. The taker needs room for everything, and all others find nothing.
class TakeAllStack final : public CountedPushes<TakeAllStack> {
 public:
  // Single tasks cannot be taken.
  TaskBase* TryPop() noexcept override {
    return nullptr;
  }
  std::size_t Grab(std::span<TaskBase*> /*out*/, std::size_t /*sharers*/) noexcept override {
    return 0;
  }

  TaskList GrabAll() noexcept override {
    TaskList all = stack_.TakeAll();
    if (!all.IsEmpty()) {
      counts_.CountTaken(all.Size());
    }
    return all;
  }

 private:
  friend class CountedPushes<TakeAllStack>;

  void Put(TaskBase* task) noexcept {
    stack_.Push(task);
  }

  void Put(TaskList&& batch) noexcept {
    stack_.Push(std::move(batch));
  }

  alignas(kCacheLine) TaskStack stack_;
};

}  // namespace schedbench::schedulers

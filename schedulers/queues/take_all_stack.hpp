#pragma once

#include "base/cache_line.hpp"
#include "schedulers/queues/queue_models.hpp"
#include "schedulers/queues/task_stack.hpp"

#include <utility>

namespace schedbench::schedulers {

// A global queue that is only taken as a whole: what GetAllFromGlob of document 000 asks of one, without a lock. Who
// takes needs room for everything, and all others find nothing.
class TakeAllStack {
 public:
  void Push(TaskBase* task) noexcept {
    counts_.CountPushed(1);
    stack_.Push(task);
  }

  void PushFromOutside(TaskBase* task) noexcept {
    counts_.CountFromOutside(*task);
    Push(task);
  }

  void AppendFromOutside(TaskList&& batch) noexcept {
    counts_.CountFromOutside(batch);
    Append(std::move(batch));
  }

  void Append(TaskList&& batch) noexcept {
    counts_.CountPushed(batch.Size());
    stack_.Push(std::move(batch));
  }

  TaskList GrabAll() noexcept {
    TaskList all = stack_.TakeAll();
    if (!all.IsEmpty()) {
      counts_.CountTaken(all.Size());
    }
    return all;
  }

  const TaskCounts& Counts() const noexcept {
    return counts_;
  }

 private:
  alignas(kCacheLine) TaskStack stack_;
  TaskCounts counts_;
};

static_assert(TakeAllModel<TakeAllStack>);

}  // namespace schedbench::schedulers

#pragma once

#include "schedulers/queues/contracts.hpp"

#include <utility>

namespace schedbench::schedulers {

// The pushing side of a global queue in which no lock guards the counts: each task is counted
// before it can be seen. `Queue` derives from CountedPushes<Queue> and has Put(TaskBase*) and
// Put(TaskList&&), which count nothing.
template <typename Queue>
class CountedPushes : public IGlobalQueue {
 public:
  void Push(TaskBase* task) noexcept final {
    counts_.CountPushed(1);
    Self().Put(task);
  }

  void PushExternal(TaskBase* task) noexcept final {
    counts_.CountPushed(1);
    counts_.external.Count(ExternalBatch(*task));
    Self().Put(task);
  }

  void Append(TaskList&& batch) noexcept final {
    counts_.CountPushed(batch.Size());
    Self().Put(std::move(batch));
  }

  void AppendExternal(TaskList&& batch) noexcept final {
    const ExternalBatch external(batch);
    counts_.CountPushed(external.tasks);
    counts_.external.Count(external);
    Self().Put(std::move(batch));
  }

 private:
  Queue& Self() noexcept {
    return static_cast<Queue&>(*this);
  }
};

}  // namespace schedbench::schedulers

#pragma once

#include "fibers/core/fiber_thread.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/sync/select.hpp"
#include "schedulers/pool/pool_worker.hpp"

namespace schedbench::schedulers {

template <typename Worker>
void PoolWorker<Worker>::Work() noexcept {
  fibers::SeedSelect(select_seed_);
  CurrentWorker::Set(&Self());
  fibers::ForkQueue::SetCurrent(Self().Forks());
  fibers::TimerQueue::SetCurrent(&timers_);
  fibers::FiberThread::RunLoop(*this, pool_.Stacks());
  fibers::TimerQueue::SetCurrent(nullptr);
  fibers::ForkQueue::SetCurrent(nullptr);
  CurrentWorker::Set(nullptr);
}

// Takes a task at hand, otherwise searches, then parks. Null: the worker ends or left its thread.
template <typename Worker>
TaskBase* PoolWorker<Worker>::PickTask() noexcept {
  for (;;) {
    if (RecheckRequested()) [[unlikely]] {
      if (stopping_) {
        EndIdle();
        return nullptr;
      }
      if (!Deactivate()) {
        return nullptr;
      }
      continue;
    }
    TaskBase* task = Self().TryPickTask();
    if (task == nullptr) {
      if (RecheckRequested()) [[unlikely]] {
        continue;  // TryPickTask() returns null for a recheck, also when there is a task
      }
      BeginIdle();
      task = Search();
    }
    if (task == nullptr && (RunAllTimers() || LookAtNet())) {
      continue;
    }
    if (task == nullptr) {
      const Parked parked = RecheckThenPark();
      if (parked.left) {
        return nullptr;
      }
      task = parked.task;
    }
    if (task != nullptr) {
      if (searching_) {
        FoundWork();
      }
      EndIdle();
      just_woken_ = false;
      failed_rechecks_ = SpinWait();
      return task;
    }
  }
}

template <typename Worker>
void PoolWorker<Worker>::TaskDone(bool ended) noexcept {
  ObservedSource::TaskDone(ended);
  if constexpr (Worker::kMayShareCounter) {
    if (counter_ != nullptr) [[unlikely]] {
      counter_->Done();
    }
  }
}

template <typename Worker>
bool PoolWorker<Worker>::MayRunAgain() const noexcept {
  // Some pick orders reach the global queue only after a search.
  return !RecheckRequested() && pool_.Global().Counts().IsEmpty();
}

template <typename Worker>
void PoolWorker<Worker>::RecordQueueLengths() noexcept {
  RecordQueueLength(trace::QueueKind::kLocal, Self().TasksToRun());
  RecordQueueLength(trace::QueueKind::kGlobal, pool_.Global().Counts().Size());
}

}  // namespace schedbench::schedulers

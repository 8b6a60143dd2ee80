#include "fibers/time/timer_queue.hpp"

#include "base/intrusive_list.hpp"
#include "base/spin_wait.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/time/sleeper.hpp"
#include "fibers/time/timer_service.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::fibers {

TimerQueue::~TimerQueue() {
  if (group_ != nullptr && service_ != nullptr) {
    service_->Remove(*this);
    WaitForResumed(taken_.Read());
  }
}

void TimerQueue::Join() noexcept {
  service_ = &TimerService::OfProcess();
  service_->Add(*this);
  group_->is_used.Store(true, memory_order_relaxed);
}

void TimerQueue::Start(Sleeper& sleeper) noexcept {
  executors::HappensBefore(&sleeper);
  const executors::SchedulerSide side;
  if (service_ == nullptr) [[unlikely]] {
    Join();
  }
  bool is_first = false;
  {
    const platform::MutexLock lock(mutex_);
    heap_.Push(sleeper);
    is_first = heap_.Earliest() == &sleeper;
    if (is_first) {
      SetEarliest();
    }
  }
  // The sleeper may be gone now.
  if (is_first) {
    service_->WakeFor(*this);
  }
}

void TimerQueue::Cancel(Sleeper& sleeper) noexcept {
  const executors::SchedulerSide side;
  const platform::MutexLock lock(mutex_);
  if (sleeper.IsInHeap()) {
    heap_.Remove(sleeper);
    SetEarliest();
  }
}

void TimerQueue::SetEarliest() noexcept {
  const std::uint64_t earliest = heap_.IsEmpty() ? kNever : heap_.EarliestNs();
  if (earliest != earliest_ns_.Load(memory_order_relaxed)) {
    // seq_cst: pairs with the loads in NeedsThreadAt(); before WakeFor() loads next_scan_ns_.
    earliest_ns_.Store(earliest, memory_order_seq_cst);
  }
}

std::uint64_t TimerQueue::NeedsThreadAt() const noexcept {
  // seq_cst: pairs with the store in SetEarliest(); after Sleep() has stored next_scan_ns_.
  const std::uint64_t earliest = earliest_ns_.Load(memory_order_seq_cst);
  // seq_cst: pairs with the store in SetAsleep(); after Sleep() has stored next_scan_ns_.
  const std::uint64_t seen = seen_ns_.Load(memory_order_seq_cst);
  return seen == 0 ? earliest : std::max(earliest, seen + kGraceNs);
}

void TimerQueue::SetAsleep() noexcept {
  if (seen_ns_.Load(memory_order_relaxed) == 0) {
    return;
  }
  // seq_cst: pairs with the load in NeedsThreadAt(); before WakeFor() loads next_scan_ns_.
  seen_ns_.Store(0, memory_order_seq_cst);
  if (EarliestNs() != kNever) {
    service_->WakeFor(*this);
  }
}

Sleeper* TimerQueue::TakeDue(std::uint64_t now_ns, std::uint64_t& taken) noexcept {
  Sleeper* first = nullptr;
  Sleeper** end = &first;
  for (taken = 0; taken < kBatch && !heap_.IsEmpty() && heap_.EarliestNs() <= now_ns;) {
    auto* const sleeper = static_cast<Sleeper*>(heap_.Earliest());
    heap_.Remove(*sleeper);
    if (sleeper->TryClaim(Sleeper::kDeadline)) {
      sleeper->next_due_ = nullptr;
      *end = sleeper;
      end = &sleeper->next_due_;
      ++taken;
    }
  }
  taken_.Write(taken_.Read() + taken);
  SetEarliest();
  return first;
}

std::uint64_t TimerQueue::RunDueSlow(std::uint64_t now_ns) noexcept {
  if (!mutex_.TryLock()) {
    return 0;
  }
  std::uint64_t taken = 0;
  Sleeper* const due = TakeDue(now_ns, taken);
  mutex_.Unlock();
  if (taken != 0) {
    ResumeAll(due, taken);
  }
  return taken;
}

void TimerQueue::ResumeAll(Sleeper* due, std::uint64_t taken) noexcept {
  const auto executor_of = [](const Sleeper& sleeper) {
    const executors::UserSide user;
    executors::HappensAfter(&sleeper);
    return &sleeper.fiber_.Executor();
  };
  while (due != nullptr) {
    executors::IExecutor* const executor = executor_of(*due);
    IntrusiveList<executors::TaskBase> tasks;
    while (due != nullptr && executor_of(*due) == executor) {
      tasks.PushBack(due->fiber_.TakeTask());
      due = due->next_due_;
    }
    const executors::UserSide user;
    executor->SubmitAll(std::move(tasks), executors::SchedulerHint::UpToYou);
  }
  const executors::UserSide user;
  executors::HappensBefore(service_);  // TimerService::Abandon() waits for it
  // release: pairs with the acquire in WaitForResumed(). The queue may be gone after it.
  resumed_.FetchAdd(taken, memory_order_release);
}

void TimerQueue::WaitForResumed(std::uint64_t taken) noexcept {
  SpinWait spin;
  // acquire: pairs with the release in ResumeAll().
  while (resumed_.Load(memory_order_acquire) < taken) {
    spin.Spin();
  }
}

std::uint64_t TimerQueue::Forget(const StackPool& pool) noexcept {
  const platform::MutexLock lock(mutex_);
  heap_.RemoveIf([&pool](const TimerNode* timer) { return pool.Contains(timer); });
  SetEarliest();
  return taken_.Read();
}

}  // namespace schedbench::fibers

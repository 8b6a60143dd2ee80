#include "fibers/time/timer_service.hpp"

#include "base/failure.hpp"
#include "base/spin_wait.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "platform/time/clock.hpp"

#include <stdexcept>
#include <utility>

namespace schedbench::fibers {

namespace {

// Not null on a service's thread.
using OwnService = platform::ThreadLocalPtr<TimerService, class TimerServiceTag>;

// Resumed between two looks at the lock: as many submits as take a few microseconds.
constexpr std::size_t kBatch = 64;

}  // namespace

void Sleeper::Begin(FiberHandle fiber) noexcept {
  fiber_ = std::move(fiber);
  if (!Until().IsNever()) {
    TimerService::OfProcess().Start(*this);
  }
}

std::uint32_t Sleeper::End() noexcept {
  // relaxed: the claimant has made this fiber ready.
  const std::uint32_t by = claim_.Load(memory_order_relaxed);
  if (by != kDeadline && !Until().IsNever()) {
    TimerService::OfProcess().Cancel(*this);
  }
  return by;
}

TimerService::TimerService() {
  try {
    thread_.emplace("timers", [this] {
      Run();
    });
  } catch (const std::runtime_error& error) {
    FailRun(error.what(), FailureKind::kLimit);
  }
}

TimerService::~TimerService() {
  Stop();
}

void TimerService::Start(Sleeper& sleeper) noexcept {
  executors::HappensBefore(&sleeper);
  const executors::SchedulerSide side;
  bool wake = false;
  {
    const platform::MutexLock lock(mutex_);
    heap_.Push(sleeper);
    if (sleeper.due_ns < next_scan_ns_) {
      wake = true;
      Wake();
    }
  }
  if (wake) {
    platform::FutexWake(signals_, 1);
  }
}

void TimerService::Cancel(Sleeper& sleeper) noexcept {
  const executors::SchedulerSide side;
  const platform::MutexLock lock(mutex_);
  if (sleeper.IsInHeap()) {
    heap_.Remove(sleeper);
  }
}

void TimerService::Wake() noexcept {
  next_scan_ns_ = kAwake;
  // relaxed: under mutex_, as is the thread's reading of it before it sleeps.
  signals_.FetchAdd(1, memory_order_relaxed);
}

void TimerService::Stop() noexcept {
  {
    const platform::MutexLock lock(mutex_);
    stopped_ = true;
    Wake();
  }
  platform::FutexWake(signals_, 1);
  if (thread_ && OwnService::Get() != this) {
    thread_->Join();
    thread_.reset();
  }
}

void TimerService::Run() noexcept {
  OwnService::Set(this);
  platform::SetTimerSlack(1);
  const executors::SchedulerSide side;
  mutex_.Lock();
  while (!stopped_) {
    if (Sleeper* const due = TakeDue()) {
      resuming_ = true;
      ++batch_;
      mutex_.Unlock();
      ResumeAll(due);
      mutex_.Lock();
      resuming_ = false;
    } else {
      Sleep();
    }
  }
  mutex_.Unlock();
}

Sleeper* TimerService::TakeDue() noexcept {
  if (heap_.IsEmpty()) {
    return nullptr;
  }
  const std::uint64_t now = platform::NowNs();
  Sleeper* first = nullptr;
  Sleeper** end = &first;
  for (std::size_t count = 0; count < kBatch && !heap_.IsEmpty() && heap_.EarliestNs() <= now;) {
    auto* const sleeper = static_cast<Sleeper*>(heap_.Earliest());
    heap_.Remove(*sleeper);
    if (sleeper->TryClaim(Sleeper::kDeadline)) {
      sleeper->next_due_ = nullptr;
      *end = sleeper;
      end = &sleeper->next_due_;
      ++count;
    }
  }
  return first;
}

void TimerService::ResumeAll(Sleeper* due) noexcept {
  while (due != nullptr) {
    Sleeper* const next = due->next_due_;
    const executors::UserSide user;
    executors::HappensAfter(due);
    due->Resume();
    executors::HappensBefore(this);  // Abandon() waits for the batch
    due = next;
  }
}

void TimerService::Sleep() noexcept {
  const Deadline until = heap_.IsEmpty() ? Deadline::Never() : Deadline::At(heap_.EarliestNs());
  next_scan_ns_ = until.Ns();
  // relaxed: changed under mutex_.
  const std::uint32_t seen = signals_.Load(memory_order_relaxed);
  mutex_.Unlock();
  if (until.IsNever()) {
    platform::FutexWait(signals_, seen);
  } else {
    platform::FutexWaitFor(signals_, seen, until.Left());
  }
  mutex_.Lock();
  next_scan_ns_ = kAwake;
}

void TimerService::Forget(const StackPool& pool) noexcept {
  const executors::SchedulerSide side;
  mutex_.Lock();
  heap_.RemoveIf([&pool](const TimerNode* timer) {
    return pool.Contains(timer);
  });
  // What is in the thread's hand may be of `pool` too.
  SpinWait spin;
  const std::uint64_t batch = batch_;
  while (resuming_ && batch_ == batch && OwnService::Get() != this) {
    mutex_.Unlock();
    spin.Spin();
    mutex_.Lock();
  }
  mutex_.Unlock();
}

}  // namespace schedbench::fibers

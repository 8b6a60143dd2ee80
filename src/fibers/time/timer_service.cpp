#include "fibers/time/timer_service.hpp"

#include "base/failure.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/time/sleeper.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace schedbench::fibers {

namespace {

// The service of a service's own thread; null on other threads.
using OwnService = platform::ThreadLocalPtr<TimerService, class TimerServiceTag>;

}  // namespace

void Sleeper::Begin(FiberHandle fiber) noexcept {
  fiber_ = std::move(fiber);
  if (!Until().IsNever()) {
    queue_ = &TimerService::OfProcess().QueueFor(fiber_.Executor());
    queue_->Start(*this);
  }
}

std::uint32_t Sleeper::End() noexcept {
  const std::uint32_t by = claim_.Load(memory_order_relaxed);
  if (by != kDeadline && !Until().IsNever()) {
    queue_->Cancel(*this);
  }
  return by;
}

TimerService::TimerService() {
  Add(own_);
  try {
    thread_.emplace("timers", [this] { Run(); });
  } catch (const std::runtime_error& error) {
    FailRun(error.what(), FailureKind::kLimit);
  }
}

TimerService::~TimerService() {
  Stop();
}

void TimerService::Add(TimerQueue& queue) noexcept {
  const platform::MutexLock lock(mutex_);
  try {
    queues_.push_back(&queue);
  } catch (const std::bad_alloc&) {
    FailRun("no memory for timers", FailureKind::kLimit);
  }
}

void TimerService::Remove(TimerQueue& queue) noexcept {
  const platform::MutexLock lock(mutex_);
  std::erase(queues_, &queue);
}

void TimerService::WakeFor(const TimerQueue& queue) noexcept {
  // seq_cst: pairs with the store in Sleep(). It follows the store to the queue.
  if (queue.NeedsThreadAt() < next_scan_ns_.Load(memory_order_seq_cst)) {
    Wake();
  }
}

void TimerService::Wake() noexcept {
  // relaxed: several threads may wake it, and the futex word orders the rest.
  if (next_scan_ns_.Exchange(kAwake, memory_order_relaxed) != kAwake) {
    // relaxed: the kernel compares it, and the thread reads the changes with seq_cst.
    signals_.FetchAdd(1, memory_order_relaxed);
    platform::FutexWake(signals_, 1);
  }
}

void TimerService::Stop() noexcept {
  {
    const platform::MutexLock lock(mutex_);
    stopped_ = true;
  }
  // relaxed: the thread sees stopped_ under mutex_, or it has read the futex word before.
  signals_.FetchAdd(1, memory_order_relaxed);
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
    if (!RunDue()) {
      Sleep();
    }
  }
  mutex_.Unlock();
}

bool TimerService::RunDue() noexcept {
  const std::uint64_t now = platform::NowNs();
  bool ran = false;
  // The loop uses indexes, because the list changes while the lock is free.
  for (std::size_t i = 0; i < queues_.size() && !stopped_; ++i) {
    TimerQueue& queue = *queues_[i];
    if (queue.NeedsThreadAt() > now) {
      continue;
    }
    queue.mutex_.Lock();
    std::uint64_t taken = 0;
    Sleeper* const due = queue.TakeDue(now, taken);
    queue.mutex_.Unlock();
    if (taken != 0) {
      ran = true;
      mutex_.Unlock();
      queue.ResumeAll(due, taken);
      mutex_.Lock();
    }
  }
  return ran;
}

std::uint64_t TimerService::NeededAt() const noexcept {
  std::uint64_t first = TimerQueue::kNever;
  for (const TimerQueue* const queue : queues_) {
    first = std::min(first, queue->NeedsThreadAt());
  }
  return first;
}

void TimerService::Sleep() noexcept {
  // relaxed: before the store of next_scan_ns_ only Stop() changes it, under mutex_.
  const std::uint32_t seen = signals_.Load(memory_order_relaxed);
  const std::uint64_t until = NeededAt();
  // seq_cst: pairs with the load in WakeFor().
  next_scan_ns_.Store(until, memory_order_seq_cst);
  if (NeededAt() >= until) {
    mutex_.Unlock();
    if (until == TimerQueue::kNever) {
      platform::FutexWait(signals_, seen);
    } else {
      platform::FutexWaitFor(signals_, seen, Deadline::At(until).Left());
    }
    mutex_.Lock();
  }
  next_scan_ns_.Store(kAwake, memory_order_relaxed);  // relaxed: it only saves wake-ups
}

void TimerService::Forget(const StackPool& pool) noexcept {
  const executors::SchedulerSide side;
  std::uint64_t taken = 0;
  {
    const platform::MutexLock lock(mutex_);
    for (TimerQueue* const queue : queues_) {
      const std::uint64_t of_queue = queue->Forget(pool);
      // The taken timers may be of `pool` too.
      if (queue != &own_) {
        queue->WaitForResumed(of_queue);
      } else {
        taken = of_queue;
      }
    }
  }
  // Without the lock: the thread may run an inline executor's fiber, which needs it or calls this.
  if (OwnService::Get() != this) {
    own_.WaitForResumed(taken);
  }
}

}  // namespace schedbench::fibers

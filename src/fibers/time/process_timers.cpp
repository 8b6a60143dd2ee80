// The timer service of the process. Models of the simulated machine make one for each execution.
#include "base/failure.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/time/timer_service.hpp"

#include <new>

namespace schedbench::fibers {

namespace {

// Never freed: fibers may sleep and cancel while any thread runs, also while the process exits.
Atomic<TimerService*> service{nullptr};
platform::Mutex making;

// Ends the thread at process exit, before objects that are older than the service are destroyed.
struct AtExit {
  ~AtExit() {
    // acquire: pairs with the release in Make().
    if (TimerService* const running = service.Load(memory_order_acquire)) {
      running->Stop();
    }
  }
};

TimerService& Make() noexcept {
  const platform::MutexLock lock(making);
  // relaxed: only written under `making`.
  TimerService* made = service.Load(memory_order_relaxed);
  if (made == nullptr) {
    try {
      made = new TimerService;
    } catch (const std::bad_alloc&) {
      FailRun("no memory for the timers' thread", FailureKind::kLimit);
    }
    // The hook comes first: a thread that sees the service, and pools it retires, see the hook.
    StackPool::AddAbandonHook(&TimerService::Abandon);
    // release: pairs with the acquire in OfProcess(), Abandon() and AtExit.
    service.Store(made, memory_order_release);
    static const AtExit at_exit;
  }
  return *made;
}

}  // namespace

TimerService& TimerService::OfProcess() noexcept {
  const executors::SchedulerSide side;
  // acquire: pairs with the release in Make().
  TimerService* const running = service.Load(memory_order_acquire);
  return running != nullptr ? *running : Make();
}

std::size_t TimerService::PendingOfProcess() noexcept {
  const executors::SchedulerSide side;
  // acquire: pairs with the release in Make().
  TimerService* const running = service.Load(memory_order_acquire);
  if (running == nullptr) {
    return 0;
  }
  const platform::MutexLock lock(running->mutex_);
  std::size_t pending = 0;
  for (TimerQueue* const queue : running->queues_) {
    const platform::MutexLock queue_lock(queue->mutex_);
    pending += queue->heap_.Size();
  }
  return pending;
}

void TimerService::Abandon(const StackPool& pool) noexcept {
  TimerService* running = nullptr;
  {
    const executors::SchedulerSide side;
    // acquire: pairs with the release in Make().
    running = service.Load(memory_order_acquire);
    if (running != nullptr) {
      running->Forget(pool);
    }
  }
  executors::HappensAfter(running);
}

}  // namespace schedbench::fibers

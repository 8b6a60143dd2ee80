#include "schedulers/pool/observed_scheduler.hpp"

#include "base/random.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "platform/threads/thread.hpp"
#include "schedulers/pool/read_workers.hpp"

namespace schedbench::schedulers {

ObservedScheduler::ObservedScheduler(std::uint32_t workers, std::uint64_t seed,
                                     const fibers::StackConfig& stacks)
    : seed_(seed),
      stacks_(fibers::StackPool::Make(stacks)) {
  for (std::uint32_t i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(*this, DeriveSeed(seed, i)));
  }
}

ObservedScheduler::~ObservedScheduler() = default;

void ObservedScheduler::RunWorker(std::uint32_t index, const std::string& name) noexcept {
  const platform::WorkerScope scope(name);
  CurrentWorker::Set(workers_[index].get());
  fibers::FiberThread::RunLoop(*workers_[index], *stacks_);
  CurrentWorker::Set(nullptr);
}

void ObservedScheduler::OnSubmit(executors::TaskBase& task,
                                 executors::SchedulerHint hint) noexcept {
  executors::HappensBefore(task);
  const executors::SchedulerSide side;
  // relaxed: the task is seen after it, and so is its end, which OnDone() counts.
  unfinished_.FetchAdd(1, memory_order_relaxed);
  Worker* const worker = CurrentWorker::Get();
  if (worker != nullptr && worker->BelongsTo(*this)) {
    worker->OnSubmit(task, hint);
    worker->CountHint(hint);
    return;
  }
  fibers::TraceReady(external_tracer_, task, hint);
  metrics::StampExternal(task.ready_stamp, seed_);
  external_.Count(ExternalBatch(task));
}

void ObservedScheduler::OnDone() noexcept {
  // acq_rel: pairs with the acquire in WaitIdle(), and with itself, so that all tasks happen before
  // WaitIdle() returns.
  if (unfinished_.FetchSub(1, memory_order_acq_rel) == 1) {
    const platform::MutexLock lock(mutex_);
    is_idle_.NotifyAll();
  }
}

void ObservedScheduler::WaitIdle() noexcept {
  const platform::MutexLock lock(mutex_);
  // acquire: pairs with the release in OnDone().
  while (unfinished_.Load(memory_order_acquire) != 0) {
    is_idle_.Wait(mutex_);
  }
  executors::HappensAfter(*this);
}

void ObservedScheduler::AbandonSleepers() noexcept {
  stacks_->Abandon();
}

std::vector<registry::WorkerReading> ObservedScheduler::ReadWorkers() const {
  return schedulers::ReadWorkers(workers_);
}

metrics::MetricValues ObservedScheduler::ReadPool() const {
  metrics::PoolMetrics pool;
  stacks_->Count(pool);
  return metrics::ReadMetrics(pool);
}

registry::Tracers ObservedScheduler::Tracers() noexcept {
  return TracersOf(workers_, external_tracer_);
}

}  // namespace schedbench::schedulers

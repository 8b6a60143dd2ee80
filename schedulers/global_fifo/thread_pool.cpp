#include "schedulers/global_fifo/thread_pool.hpp"

#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "metrics/counted_lock.hpp"
#include "schedulers/pool/observed_source.hpp"
#include "schedulers/pool/read_workers.hpp"

#include <string>

namespace schedbench::schedulers::global_fifo {

// What one thread counts, and its side of the loop that runs tasks.
class alignas(kCacheLine) ThreadPool::Worker final : public ObservedSource {
 public:
  Worker(ThreadPool& pool, std::uint64_t seed)
      : ObservedSource(pool, seed),
        pool_(pool) {
  }

  TaskBase* PickTask() noexcept override {
    times.OnNoTask();  // Take() may sleep
    return Counted(pool_.Take(*this));
  }

  TaskBase* TryPickTask() noexcept override {
    return Counted(pool_.TryTake(*this));
  }

  bool BelongsTo(const ThreadPool& pool) const noexcept {
    return &pool_ == &pool;
  }

  // Records the length of the queue at each kPeriod-th pick.
  void OnQueueLength(std::size_t tasks) noexcept {
    constexpr std::uint32_t kPeriod = 64;  // other workers poll their global queue about this often
    if (Tracing().IsOn() && picks_++ % kPeriod == 0) [[unlikely]] {
      RecordQueueLength(trace::QueueKind::kGlobal, tasks);
    }
  }

 private:
  TaskBase* Counted(TaskBase* task) noexcept {
    metrics.from_global.Add(task != nullptr ? 1 : 0);
    return Picked(task);
  }

  ThreadPool& pool_;
  std::uint32_t picks_ = 0;
};

ThreadPool::ThreadPool(const GlobalFifoConfig& config, std::uint64_t seed)
    : stacks_(fibers::StackPool::Make(config.stacks.value)),
      seed_(seed) {
  for (std::uint32_t i = 0; i < config.workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(*this, DeriveSeed(seed, i)));
  }
  try {
    for (std::uint32_t i = 0; i < config.workers; ++i) {
      threads_.emplace_back(
          "fifo-" + std::to_string(i),
          [this, i] {
            Worker& worker = *workers_[i];
            CurrentWorker::Set(&worker);
            fibers::FiberThread::RunLoop(worker, *stacks_);
            CurrentWorker::Set(nullptr);
          },
          platform::ThreadRole::kWorker);
    }
  } catch (...) {
    {
      const platform::MutexLock lock(mutex_);
      End();
    }
    threads_.clear();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  if (!threads_.empty()) {
    Stop();
  }
}

void ThreadPool::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  executors::HappensBefore(*task);
  const executors::SchedulerSide side;
  Worker* const worker = CurrentWorker::Get();
  const bool is_external = worker == nullptr || !worker->BelongsTo(*this);
  if (is_external) {
    fibers::TraceReady(external_tracer_, *task, hint);
    metrics::StampExternal(task->ready_stamp, seed_);
  } else {
    worker->OnSubmit(*task, hint);
    worker->CountHint(hint);
  }
  if (Push(task, is_external)) {
    has_task_.NotifyOne();
    if (!is_external) {
      worker->metrics.wakes_sent.Add();
    }
  }
}

bool ThreadPool::Push(TaskBase* task, bool is_external) noexcept {
  const metrics::CountedLock lock(mutex_, lock_waits_);
  if (is_external) {
    external_.CountGuarded(ExternalBatch(*task));
  }
  tasks_.PushBack(task);
  if (sleepers_ == wakes_under_way_) {
    return false;
  }
  ++wakes_under_way_;
  return true;
}

TaskBase* ThreadPool::TryTake(Worker& worker) noexcept {
  const metrics::CountedLock lock(mutex_, lock_waits_);
  worker.OnQueueLength(tasks_.Size());
  return tasks_.TryPopFront();
}

TaskBase* ThreadPool::Take(Worker& worker) noexcept {
  const metrics::CountedLock lock(mutex_, lock_waits_);
  while (tasks_.IsEmpty() && !ended_) {
    if (++sleepers_ == workers_.size()) {
      // All threads sleep, so that none can submit.
      if (idle_waiters_ > 0) {
        is_idle_.NotifyAll();
      }
      if (stopped_) {
        End();
        break;
      }
    }
    worker.BeginPark();
    const bool waited = has_task_.Wait(mutex_);
    worker.EndPark();
    if (waited) {
      lock_waits_.Add();
    }
    --sleepers_;
    if (wakes_under_way_ > 0) {
      --wakes_under_way_;
    }
    if (tasks_.IsEmpty()) {
      worker.metrics.noop_wakes.Add();
    }
  }
  worker.OnQueueLength(tasks_.Size());
  return tasks_.TryPopFront();
}

void ThreadPool::End() noexcept {
  ended_ = true;
  has_task_.NotifyAll();
}

void ThreadPool::WaitIdle() noexcept {
  const platform::MutexLock lock(mutex_);
  ++idle_waiters_;
  // A worker that does not sleep has a task, or is about to look for one, unless it has ended.
  while (!ended_ && (!tasks_.IsEmpty() || sleepers_ < workers_.size())) {
    is_idle_.Wait(mutex_);
  }
  --idle_waiters_;
  executors::HappensAfter(*this);
}

void ThreadPool::Stop() noexcept {
  {
    const platform::MutexLock lock(mutex_);
    stopped_ = true;
    if (sleepers_ == workers_.size() && tasks_.IsEmpty()) {
      End();
    }
  }
  threads_.clear();
  // The timers' thread may still be in Submit(), and nothing else waits for it.
  stacks_->Abandon();
}

std::vector<registry::WorkerReading> ThreadPool::ReadWorkers() const {
  return schedulers::ReadWorkers(workers_);
}

registry::Tracers ThreadPool::Tracers() noexcept {
  return TracersOf(workers_, external_tracer_);
}

metrics::MetricValues ThreadPool::ReadPool() const {
  metrics::PoolMetrics pool;
  pool.global_lock_waits.Add(lock_waits_.Get());
  stacks_->Count(pool);
  return metrics::ReadMetrics(pool);
}

registry::PoolState ThreadPool::State() const {
  if (!mutex_.TryLock()) {
    return {};  // its owner may never unlock it
  }
  registry::PoolState state{.queues = {{"queue", tasks_.Size()}},
                            .active = static_cast<std::uint32_t>(workers_.size()),
                            .searching = 0,
                            .idle = static_cast<std::uint32_t>(sleepers_)};
  mutex_.Unlock();
  return state;
}

}  // namespace schedbench::schedulers::global_fifo

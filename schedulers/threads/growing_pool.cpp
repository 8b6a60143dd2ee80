#include "schedulers/threads/growing_pool.hpp"

#include "base/cache_line.hpp"
#include "base/failure.hpp"
#include "base/random.hpp"
#include "base/spin_wait.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "metrics/counted_lock.hpp"
#include "metrics/task_times.hpp"
#include "metrics/worker_metrics.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "platform/time/clock.hpp"
#include "schedulers/pool/observed_source.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace schedbench::schedulers::threads {

// A slot for a thread: what it counts, how it is woken, and its side of the loop that runs tasks.
// When the thread has ended another one gets the slot. mutex_ of the pool guards the hand-over of
// `task`, and `starting` that of `thread`.
class alignas(kCacheLine) GrowingPool::Slot final : public ObservedSource,
                                                    public IntrusiveNode<Slot> {
 public:
  Slot(GrowingPool& pool, std::uint64_t seed)
      : ObservedSource(pool, seed),
        pool_(pool) {
  }

  TaskBase* PickTask() noexcept override {
    times.OnNoTask();  // NextTask() may sleep
    if (TaskBase* const first = std::exchange(task, nullptr)) {
      metrics.from_local.Add();
      return Picked(first);
    }
    return pool_.options_.reuse ? Picked(pool_.NextTask(*this)) : nullptr;
  }

  TaskBase* TryPickTask() noexcept override {
    TaskBase* const next = pool_.options_.reuse ? pool_.TryTakeQueued() : nullptr;
    if (next != nullptr) {
      metrics.from_global.Add();
    }
    return Picked(next);
  }

  bool MayRunAgain() const noexcept override {
    // Without reuse a thread can yield only to the next one. relaxed: the next yield reads again.
    return pool_.options_.reuse || pool_.queued_.Load(memory_order_relaxed) == 0;
  }

  void RunAgain() noexcept override {
    ObservedSource::RunAgain();
    // No task waits for this thread, but other threads wait for its CPU.
    YieldThread();
  }

  bool BelongsTo(const GrowingPool& pool) const noexcept {
    return &pool_ == &pool;
  }

  static Slot* Current() noexcept {
    return CurrentSlot::Get();
  }

  static void SetCurrent(Slot* slot) noexcept {
    CurrentSlot::Set(slot);
  }

  // Waits for EndSleep(). False: the time is over.
  bool Sleep(std::chrono::nanoseconds limit) noexcept {
    const std::uint64_t deadline = platform::NowNs() + static_cast<std::uint64_t>(limit.count());
    // acquire: pairs with the release in EndSleep(), also at the last read.
    while (wakeups_.Load(memory_order_acquire) == seen_) {
      const std::uint64_t now = platform::NowNs();
      if (now >= deadline ||
          !platform::FutexWaitFor(wakeups_, seen_, std::chrono::nanoseconds(deadline - now))) {
        return wakeups_.Load(memory_order_acquire) != seen_;  // acquire: pairs with EndSleep()
      }
    }
    return true;
  }

  // The thread that has taken the slot out of idle_ calls this under that lock, then Wake().
  void EndSleep() noexcept {
    // release: pairs with the acquire in Sleep(). relaxed: the lock orders the writers.
    wakeups_.Store(wakeups_.Load(memory_order_relaxed) + 1, memory_order_release);
  }

  void Wake() noexcept {
    platform::FutexWake(wakeups_, 1);
  }

  // The owner calls this before it becomes idle.
  void ExpectWake() noexcept {
    // relaxed: no thread wakes it before it is in idle_.
    seen_ = wakeups_.Load(memory_order_relaxed);
  }

  TaskBase* task = nullptr;  // first task of the thread
  bool has_left = false;     // set by its thread when it is not part of the pool any more
  platform::Mutex starting;
  std::optional<platform::Thread> thread;  // guarded by starting

 private:
  using CurrentSlot = platform::ThreadLocalPtr<Slot, Slot>;

  GrowingPool& pool_;
  Atomic<std::uint32_t> wakeups_{0};
  std::uint32_t seen_ = 0;  // wakeups_ as the owner saw it last
};

GrowingPool::GrowingPool(Options options, const fibers::StackConfig& stacks, std::uint64_t seed)
    : options_(std::move(options)),
      seed_(seed),
      stacks_(fibers::StackPool::Make(stacks)),
      slots_(std::make_unique<Atomic<Slot*>[]>(2 * std::size_t{options_.max_threads})) {
  idle_.reserve(options_.max_threads);
}

GrowingPool::~GrowingPool() {
  if (!ended_) {
    Stop();
  }
  for (std::uint32_t i = 0; i < made_.Load(memory_order_relaxed); ++i) {
    delete slots_[i].Load(memory_order_relaxed);
  }
}

void GrowingPool::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  executors::HappensBefore(*task);
  const executors::SchedulerSide side;
  Slot* const self = Slot::Current();
  const bool is_external = self == nullptr || !self->BelongsTo(*this);
  if (is_external) {
    metrics::StampExternal(task->ready_stamp, seed_);
  } else {
    self->OnSubmit(*task, hint);
    self->CountHint(hint);
  }
  Slot* to_wake = nullptr;
  Slot* to_start = nullptr;
  {
    const metrics::CountedLock lock(mutex_, lock_waits_);
    if (is_external) {
      external_.CountGuarded(ExternalBatch(*task));
    }
    if (!idle_.empty()) {
      to_wake = idle_.back();
      idle_.pop_back();
      to_wake->task = task;
      ++busy_;
      to_wake->EndSleep();
    } else if (threads_ < options_.max_threads) {
      ++threads_;
      ++busy_;
      to_start = &TakeSlot(task);
    } else {
      queue_.PushBack(task);
      queued_.Store(queue_.Size(), memory_order_relaxed);
    }
  }
  if (to_start != nullptr) {
    Start(*to_start);
  }
  if (to_wake != nullptr) {
    to_wake->Wake();
    if (!is_external) {
      self->metrics.wakes_sent.Add();
    }
  }
}

GrowingPool::Slot& GrowingPool::TakeSlot(TaskBase* task) noexcept {
  // Takes the slot that is free for the longest time, whose thread is the likeliest to be gone: the
  // thread that starts the next one joins it.
  Slot* slot = free_.TryPopFront();
  if (slot == nullptr) {
    const std::uint32_t made = made_.Load(memory_order_relaxed);
    slot = new (std::nothrow) Slot(*this, DeriveSeed(seed_, made));
    if (slot == nullptr) {
      FailRun("no memory for another thread", FailureKind::kLimit);
    }
    slot->metrics.threads_peak.Add(made + 1);
    slots_[made].Store(slot, memory_order_relaxed);
    // release: pairs with the acquire in ReadWorkers().
    made_.Store(made + 1, memory_order_release);
  }
  slot->task = task;
  return *slot;
}

void GrowingPool::Start(Slot& slot) noexcept {
  try {
    // The slot's last thread may still be ending, or its starter may not have stored it yet.
    const platform::MutexLock lock(slot.starting);
    slot.thread.reset();
    slot.thread.emplace(
        options_.name, [this, &slot] { Serve(slot); }, platform::ThreadRole::kWorker);
  } catch (const std::exception& error) {
    FailRun(error.what(), FailureKind::kLimit);
  }
}

void GrowingPool::Serve(Slot& slot) noexcept {
  fibers::StackPool* stacks = nullptr;
  {
    // To tsan-strict nothing orders this thread after its starter, which was in a scheduler too.
    const executors::SchedulerSide side;
    slot.metrics.threads_started.Add();
    slot.has_left = false;
    Slot::SetCurrent(&slot);
    stacks = stacks_.get();
  }
  fibers::FiberThread::RunLoop(slot, *stacks);
  const executors::SchedulerSide side;
  Slot::SetCurrent(nullptr);
  if (Slot* const successor = RetireThread(slot)) {
    Start(*successor);
  }
}

TaskBase* GrowingPool::TryTakeQueued() noexcept {
  // This read saves the lock. The next call finds a task that comes in the meantime.
  if (queued_.Load(memory_order_relaxed) == 0) {
    return nullptr;
  }
  const metrics::CountedLock lock(mutex_, lock_waits_);
  TaskBase* const task = queue_.TryPopFront();
  queued_.Store(queue_.Size(), memory_order_relaxed);
  return task;
}

TaskBase* GrowingPool::NextTask(Slot& slot) noexcept {
  {
    const metrics::CountedLock lock(mutex_, lock_waits_);
    if (TaskBase* const task = queue_.TryPopFront()) {
      queued_.Store(queue_.Size(), memory_order_relaxed);
      slot.metrics.from_global.Add();
      return task;
    }
    if (ended_) {
      return nullptr;
    }
    slot.ExpectWake();
    idle_.push_back(&slot);
    BecomeIdle();
  }
  slot.BeginPark();
  const bool woken = slot.Sleep(options_.keep_alive);
  slot.EndPark();
  if (!woken) {
    const metrics::CountedLock lock(mutex_, lock_waits_);
    const auto place = std::ranges::find(idle_, &slot);
    if (place != idle_.end()) {
      // Nothing is queued, or the slot would not have been idle. A new task may get the slot.
      idle_.erase(place);
      --threads_;
      slot.has_left = true;
      free_.PushBack(&slot);
      return nullptr;
    }
  }
  // Another thread has taken the slot out of idle_, and what it wrote before is seen.
  TaskBase* const task = std::exchange(slot.task, nullptr);
  if (task != nullptr) {
    slot.metrics.from_local.Add();
  }
  return task;
}

GrowingPool::Slot* GrowingPool::RetireThread(Slot& slot) noexcept {
  if (slot.has_left) {
    return nullptr;
  }
  const metrics::CountedLock lock(mutex_, lock_waits_);
  if (TaskBase* const task = queue_.TryPopFront()) {
    queued_.Store(queue_.Size(), memory_order_relaxed);
    Slot& successor = TakeSlot(task);
    // Free only now: the slot's next starter joins its last thread, and cannot join itself.
    free_.PushBack(&slot);
    return &successor;
  }
  free_.PushBack(&slot);
  --threads_;
  BecomeIdle();
  return nullptr;
}

void GrowingPool::BecomeIdle() noexcept {
  --busy_;
  if (idle_waiters_ > 0 && IsIdle()) {
    became_idle_.NotifyAll();
  }
}

void GrowingPool::WaitIdle() noexcept {
  const platform::MutexLock lock(mutex_);
  ++idle_waiters_;
  while (!IsIdle()) {
    became_idle_.Wait(mutex_);
  }
  --idle_waiters_;
  executors::HappensAfter(*this);
}

void GrowingPool::Stop() noexcept {
  WaitIdle();
  // Fibers that still sleep are not waited for. What their timers have submitted until now is run.
  stacks_->Abandon();
  WaitIdle();
  {
    const platform::MutexLock lock(mutex_);
    ended_ = true;
    busy_ += static_cast<std::uint32_t>(idle_.size());  // until RetireThread()
    for (Slot* const slot : idle_) {
      slot->EndSleep();
      slot->Wake();
    }
    idle_.clear();
  }
  for (std::uint32_t i = 0; i < made_.Load(memory_order_relaxed); ++i) {
    Slot& slot = *slots_[i].Load(memory_order_relaxed);
    const platform::MutexLock lock(slot.starting);
    slot.thread.reset();
  }
}

std::vector<registry::WorkerReading> GrowingPool::ReadWorkers() const {
  // acquire: pairs with the release in TakeSlot().
  const std::uint32_t made = made_.Load(memory_order_acquire);
  const std::size_t rows = options_.row_per_thread ? options_.max_threads : 1;
  std::vector<registry::WorkerReading> readings(rows);
  for (registry::WorkerReading& reading : readings) {
    reading.values.resize(metrics::WorkerMetricList().size());
  }
  for (std::uint32_t i = 0; i < made; ++i) {
    const Slot& slot = *slots_[i].Load(memory_order_relaxed);
    registry::WorkerReading& reading = readings[i % rows];
    reading.values =
        metrics::Aggregate(std::array{reading.values, metrics::ReadMetrics(slot.metrics)});
    reading.wakeup_ticks.Add(slot.times.Wakeups());
    reading.run_ticks.Add(slot.times.Runs());
  }
  return readings;
}

metrics::MetricValues GrowingPool::ReadPool() const {
  metrics::PoolMetrics pool;
  pool.global_lock_waits.Add(lock_waits_.Get());
  stacks_->Count(pool);
  return metrics::ReadMetrics(pool);
}

registry::PoolState GrowingPool::State() const {
  return {.queues = {{"queue", queued_.Load(memory_order_relaxed)}}};
}

}  // namespace schedbench::schedulers::threads

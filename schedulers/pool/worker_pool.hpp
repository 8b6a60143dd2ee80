#pragma once

#include "base/random.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/threads/asymmetric_fence.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/pool/blocking.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/hand_off.hpp"
#include "schedulers/pool/policies.hpp"
#include "schedulers/pool/quiescence.hpp"
#include "schedulers/pool/read_workers.hpp"
#include "schedulers/pool/resize.hpp"
#include "schedulers/pool/run_loop.hpp"
#include "schedulers/pool/slots.hpp"
#include "schedulers/pool/submit.hpp"
#include "schedulers/pool/timers.hpp"
#include "schedulers/pool/worker.hpp"
#include "schedulers/queues/contracts.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedbench::schedulers {

// A fixed set of workers with queues of their own and a global queue: a scheduler with policies `P`
// (policies.hpp). README.md explains which worker a submit wakes, and how WaitIdle and Stop detect
// that nothing is left.
template <contracts::Policies P>
class WorkerPool final : public registry::IScheduler {
 public:
  using Config = typename P::Config;

  // Starts the workers. Requires: config.workers >= 1.
  WorkerPool(const Config& config, std::uint64_t seed);
  ~WorkerPool() override;

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Submit(TaskBase* task, SchedulerHint hint) noexcept override {
    executors::HappensBefore(*task);
    {
      const executors::SchedulerSide side;
      Worker<P>* const worker = Worker<P>::Current();
      if (worker == nullptr || !worker->BelongsTo(*this)) [[unlikely]] {
        SubmitExternal(task, hint);
        return;
      }
      // Preempts only where a fiber starts another one: what resumes a fiber may be in a primitive.
      const bool may_preempt = task->kind == executors::TaskKind::kNewFiber;
      worker->Submit(task, hint);
      if (!worker->PreemptionRequested() || !may_preempt) [[likely]] {
        return;
      }
    }
    fibers::FiberThread::PreemptPoint();
  }

  void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept override {
    const executors::SchedulerSide side;
    tasks.ForEach([](const TaskBase& task) {
      const executors::UserSide user;
      executors::HappensBefore(task);
    });
    Worker<P>* const worker = Worker<P>::Current();
    if (worker != nullptr && worker->BelongsTo(*this)) [[likely]] {
      worker->SubmitAll(std::move(tasks), hint);
      return;
    }
    SubmitAllExternal(std::move(tasks), hint);
  }

  void WaitIdle() noexcept override;
  void Stop() noexcept override;
  std::vector<registry::WorkerReading> ReadWorkers() const override;
  metrics::MetricValues ReadPool() const override;
  registry::PoolState State() const override;

  registry::Tracers Tracers() noexcept override;

  std::uint32_t ActiveWorkers() const override {
    return coordinator_.Active();
  }

  bool SetActiveWorkers(std::uint32_t count) noexcept override;

  std::uint64_t ExternalSubmissions() const noexcept override {
    return global_queue_->Counts().external.Submissions();
  }

  std::uint64_t ExternalSpawns() const noexcept override {
    return global_queue_->Counts().external.Spawns();
  }

  std::uint64_t EndedOutside() const noexcept override {
    if constexpr (P::kHandsOff) {
      return hand_off_ == nullptr ? 0 : hand_off_->DoneOutside();
    }
    return 0;
  }

  // ---- For the workers ----

  const std::vector<std::unique_ptr<Worker<P>>>& Workers() const noexcept {
    return workers_;
  }

  IGlobalQueue& Global() const noexcept {
    return *global_queue_;
  }

  Coordinator& Coordination() noexcept {
    return coordinator_;
  }

  SlotWatch& Watch() noexcept {
    return watch_;
  }

  fibers::TimerGroup& Timers() noexcept {
    return timers_;
  }

  // Null: each worker has a thread of its own.
  HandOff<P>* HandOffs() const noexcept {
    if constexpr (P::kHandsOff) {
      return hand_off_.get();
    }
    return nullptr;
  }

  // Calls Coordinator::TryEnd(), unless a thread without a worker still runs a fiber.
  bool TryEnd(std::uint32_t worker) noexcept {
    if constexpr (P::kHandsOff) {
      if (hand_off_ != nullptr && hand_off_->Calls() != 0 && !coordinator_.HasEnded()) {
        return false;
      }
    }
    return coordinator_.TryEnd(worker);
  }

  // Call these around a pause before a search.
  void BeginPause() noexcept {
    pausing_.FetchAdd(1, memory_order_relaxed);
  }
  void EndPause() noexcept {
    pausing_.FetchSub(1, memory_order_relaxed);
  }

  // Returns whether a worker runs tasks or searches, at some moment; for a worker in a pause.
  bool OthersRun() const noexcept {
    const Coordinator::Workers workers = coordinator_.Count();
    return workers.active > workers.idle + pausing_.Load(memory_order_relaxed);
  }

  fibers::StackPool& Stacks() noexcept {
    return *stacks_;
  }

  // Null unless the config asks for the shared counter.
  SharedCounter* Counter() noexcept {
    if constexpr (P::kMayShareCounter) {
      return options_.wait_idle == QuiescenceCriterion::kSharedCounter ? &counter_ : nullptr;
    }
    return nullptr;
  }

  // Returns whether each submit wakes all workers, under one lock.
  SB_ALWAYS_INLINE bool NotifiesAll() const noexcept {
    if constexpr (P::kMayNotifyAll) {
      return options_.notifies_all;
    }
    return false;
  }

  // Makes sure that work which the caller has just published will be seen.
  SB_ALWAYS_INLINE Coordinator::Notified Notify() noexcept {
    if (NotifiesAll()) {
      const platform::MutexLock lock(notify_lock_);
      return coordinator_.NotifyAll();
    }
    return coordinator_.Notify();
  }

  // Notify() for `count` tasks.
  Coordinator::Notified NotifyMany(std::uint64_t count) noexcept {
    return NotifiesAll() ? Notify() : coordinator_.NotifyMany(count);
  }

  // Notify() by a worker that has found a backlog.
  Coordinator::Notified NotifyOfBacklog() noexcept {
    return NotifiesAll() ? Notify() : coordinator_.NotifyOfBacklog();
  }

  // From this call on, forked calls are published with light fences. Contains a full fence.
  void BeginForks() noexcept {
    // relaxed: (publish) of the first fork follows.
    has_forks_.Store(true, memory_order_relaxed);
    // seq_cst: pairs with (park) and (found). A parking worker sees has_forks_, or the first fork
    // sees it.
    AtomicFence(memory_order_seq_cst);
  }

  // Returns whether any queue that others can take from holds a task. A worker that has announced
  // that it parks, or has found work, calls it for its recheck.
  bool HasWork() const noexcept {
    // The global queue comes first, because it costs least: a thread that stops in the middle of a
    // push may keep workers rechecking, and each heavy fence interrupts all of them.
    if (!global_queue_->Counts().IsEmpty()) {
      return true;
    }
    // relaxed: after (park) or (found), which pair with the fence in BeginForks().
    if (has_forks_.Load(memory_order_relaxed)) {
      platform::HeavyFence();  // pairs with the light fences of forks
    }
    return std::ranges::any_of(workers_,
                               [](const auto& worker) { return worker->HasTasksToSteal(); });
  }

 private:
  struct NoHandOff {};
  using MayHandOff = std::conditional_t<P::kHandsOff, std::unique_ptr<HandOff<P>>, NoHandOff>;

  // Returns null where workers keep their threads.
  MayHandOff MakeHandOff([[maybe_unused]] const Config& config) {
    if constexpr (P::kHandsOff) {
      const HandOffOptions options = P::HandOffOf(config);
      if (options.is_on) {
        return std::make_unique<HandOff<P>>(*this, options, config.workers);
      }
    }
    return {};
  }

  // The default is half of the workers, as in Tokio: more would find the same tasks. Go limits them
  // to half of the busy ones.
  std::uint32_t MaxSearching(std::uint32_t workers) const noexcept {
    return max_searching_ == 0 ? (workers + 1) / 2 : max_searching_;
  }

  // Counts an external submission. Call it before other threads can see the task.
  void CountExternal(TaskBase& task, SchedulerHint hint) noexcept;
  // Not inlined, because they are the rare path of Submit() and SubmitAll().
  SB_NOINLINE void SubmitExternal(TaskBase* task, SchedulerHint hint) noexcept;
  SB_NOINLINE void SubmitAllExternal(TaskList&& tasks, SchedulerHint hint) noexcept;

  // Returns whether nothing that was submitted is left to do, in the sense of the option wait_idle.
  bool AllDone() const noexcept;

  const WorkerOptions options_;
  const std::unique_ptr<IGlobalQueue> global_queue_;
  [[no_unique_address]] const MayHandOff hand_off_;
  const std::uint32_t max_searching_;  // 0: follows from the number of workers
  Coordinator coordinator_;
  SlotWatch watch_;
  fibers::TimerGroup timers_{*this};
  // Workers in a pause before they search. relaxed: it only decides how long a pause is.
  alignas(kCacheLine) Atomic<std::uint32_t> pausing_{0};
  Atomic<bool> has_forks_{false};  // read when a worker parks
  platform::Mutex active_lock_;    // held by SetActiveWorkers()
  // Held by each submit that wakes all workers, as in the published code of the toucan report. It
  // guards no data.
  platform::Mutex notify_lock_;
  SharedCounter counter_;  // used by kSharedCounter
  trace::SharedTracer external_tracer_;
  fibers::StackPool::Owner stacks_;
  std::vector<std::unique_ptr<Worker<P>>> workers_;
  const std::uint64_t seed_;
  std::vector<platform::Thread> threads_;  // empty if workers are handed off
  bool stopped_ = false;
};

template <contracts::Policies P>
WorkerPool<P>::WorkerPool(const Config& config, std::uint64_t seed)
    : options_(P::OptionsOf(config)),
      global_queue_(P::MakeGlobalQueue(config)),
      hand_off_(MakeHandOff(config)),
      max_searching_(config.max_searching),
      coordinator_(config.workers, MaxSearching(config.workers), HandOffs()),
      watch_(config.workers),
      stacks_(fibers::StackPool::Make(config.stacks.value)),
      seed_(seed) {
  for (std::uint32_t i = 0; i < config.workers; ++i) {
    workers_.push_back(
        std::make_unique<Worker<P>>(*this, i, config, options_, DeriveSeed(seed, i)));
  }
  if constexpr (P::kHandsOff) {
    if (hand_off_ != nullptr) {
      hand_off_->Begin();
      return;
    }
  }
  try {
    for (std::uint32_t i = 0; i < config.workers; ++i) {
      threads_.emplace_back(
          P::kThreadName + std::to_string(i), [this, i] { workers_[i]->Work(); },
          platform::ThreadRole::kWorker);
    }
  } catch (...) {
    coordinator_.Abandon();
    throw;
  }
}

template <contracts::Policies P>
WorkerPool<P>::~WorkerPool() {
  if (!stopped_) {
    Stop();
  }
}

template <contracts::Policies P>
void WorkerPool<P>::CountExternal(TaskBase& task, SchedulerHint hint) noexcept {
  fibers::TraceReady(external_tracer_, task, hint);
  metrics::StampExternal(task.ready_stamp, seed_);
  if (SharedCounter* const counter = Counter()) {
    counter->Submitted();
  }
}

template <contracts::Policies P>
void WorkerPool<P>::SubmitExternal(TaskBase* task, SchedulerHint hint) noexcept {
  CountExternal(*task, hint);
  global_queue_->PushExternal(task);
  Notify();
}

template <contracts::Policies P>
void WorkerPool<P>::SubmitAllExternal(TaskList&& tasks, SchedulerHint hint) noexcept {
  const std::size_t count = tasks.Size();
  tasks.ForEach([this, hint](TaskBase& task) { CountExternal(task, hint); });
  global_queue_->AppendExternal(std::move(tasks));
  NotifyMany(count);
}

template <contracts::Policies P>
void WorkerPool<P>::WaitIdle() noexcept {
  coordinator_.WaitIdle([this] { return AllDone(); });
  executors::HappensAfter(*this);
}

template <contracts::Policies P>
bool WorkerPool<P>::AllDone() const noexcept {
  // Reads what is done first, then what was submitted. README.md, "Waiting for quiescence", proves
  // that equal sums then mean that nothing is left, and that the other order would be wrong.
  if (options_.wait_idle == QuiescenceCriterion::kSharedCounter) {
    return counter_.IsZero();
  }
  const bool fibers = options_.wait_idle == QuiescenceCriterion::kFibers;
  std::uint64_t done = 0;
  if constexpr (P::kHandsOff) {
    done = fibers ? 0 : EndedOutside();
  }
  for (const auto& worker : workers_) {
    const metrics::WorkerMetrics& metrics = worker->metrics;
    done += fibers ? metrics.ended.GetAcquire() : metrics.tasks_run.GetAcquire();
  }
  // A fiber in a batch of calls has done its part and is not submitted again yet.
  const bool resumed = fibers || std::ranges::all_of(workers_, [](const auto& worker) {
                         return worker->Batch().HasResumedAll();
                       });
  const ExternalCounts& external = global_queue_->Counts().external;
  std::uint64_t submitted = fibers ? external.Spawns() : external.Submissions();
  for (const auto& worker : workers_) {
    const metrics::WorkerMetrics& metrics = worker->metrics;
    submitted += fibers ? metrics.spawned.Get() : metrics.tasks_submitted.Get();
  }
  return resumed && done == submitted;
}

template <contracts::Policies P>
bool WorkerPool<P>::SetActiveWorkers(std::uint32_t count) noexcept {
  if (count == 0 || count > workers_.size()) {
    return false;
  }
  const platform::MutexLock lock(active_lock_);
  coordinator_.SetActive(count, MaxSearching(count));
  // An awake worker that is not active sees this at its next check.
  for (const auto& worker : workers_) {
    worker->RequestStateCheck();
  }
  coordinator_.WakeDeactivated();
  return true;
}

template <contracts::Policies P>
void WorkerPool<P>::Stop() noexcept {
  stopped_ = true;
  coordinator_.RequestStop();
  if constexpr (P::kHandsOff) {
    if (hand_off_ != nullptr) {
      hand_off_->Join();
    }
  }
  threads_.clear();
  // Fibers of this pool that still sleep or wait for a descriptor are not resumed any more. When
  // this returns, no thread that would resume them is in Submit(): the pool may be destroyed.
  stacks_->Abandon();
}

template <contracts::Policies P>
metrics::MetricValues WorkerPool<P>::ReadPool() const {
  metrics::PoolMetrics pool;
  pool.global_lock_waits.Add(global_queue_->LockWaits());
  stacks_->Count(pool);
  if constexpr (P::kHandsOff) {
    if (hand_off_ != nullptr) {
      hand_off_->Count(pool);
    }
  }
  return metrics::ReadMetrics(pool);
}

template <contracts::Policies P>
registry::Tracers WorkerPool<P>::Tracers() noexcept {
  return TracersOf(workers_, external_tracer_);
}

template <contracts::Policies P>
registry::PoolState WorkerPool<P>::State() const {
  const Coordinator::Workers workers = coordinator_.Count();
  registry::PoolState state{.queues = {{"global queue", global_queue_->Counts().Size()}},
                            .active = workers.active,
                            .searching = workers.searching,
                            .idle = workers.idle};
  if constexpr (P::kHandsOff) {
    if (hand_off_ != nullptr) {
      state.threads = hand_off_->Threads();
      state.in_calls = hand_off_->Calls();
    }
    if (hand_off_ == nullptr || !hand_off_->Preempts()) {
      state.note = "no fiber is preempted (preempt=off): one that does not wait keeps its worker";
    }
  }
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    for (const QueueDepth& depth : workers_[i]->Depths()) {
      state.queues.push_back(
          {std::string(depth.queue) + " of worker " + std::to_string(i), depth.tasks, i});
    }
  }
  return state;
}

template <contracts::Policies P>
std::vector<registry::WorkerReading> WorkerPool<P>::ReadWorkers() const {
  std::vector<registry::WorkerReading> readings = schedulers::ReadWorkers(workers_);
  static const std::size_t stolen_from = metrics::MetricIndex("tasks_stolen_from");
  for (const auto& thief : workers_) {
    for (std::size_t victim = 0; victim < readings.size(); ++victim) {
      readings[victim].values[stolen_from] += thief->StolenFrom(victim);
    }
  }
  return readings;
}

}  // namespace schedbench::schedulers

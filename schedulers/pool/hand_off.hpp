#pragma once

#include "base/atomic.hpp"
#include "base/warning.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/net/call_batch.hpp"
#include "fibers/sync/semaphore.hpp"
#include "metrics/pool_metrics.hpp"
#include "platform/signals/preempt_signal.hpp"
#include "schedulers/machines/call_word.hpp"
#include "schedulers/machines/machines.hpp"
#include "schedulers/machines/sysmon.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/net_wait.hpp"
#include "schedulers/pool/policies.hpp"
#include "schedulers/pool/quiescence.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::schedulers {

template <contracts::Policies P>
class Worker;
template <contracts::Policies P>
class WorkerPool;

// The part of a pool whose workers change their threads: a thread in a blocking call leaves its
// worker to another one. ../machines/README.md has protocol and proof, blocking.hpp the worker's
// side.
template <contracts::Policies P>
class HandOff final : public IVacancies, public IMachineOwner, public IMonitored {
 public:
  HandOff(WorkerPool<P>& pool, const HandOffOptions& options, std::uint32_t workers)
      : pool_(pool),
        hands_off_(options.hands_off),
        signals_(options.signals),
        slice_ns_(static_cast<std::uint64_t>(options.time_slice.count())),
        retake_ns_(options.hands_off ? static_cast<std::uint64_t>(options.retake.count()) : 0),
        net_(options.polls_net ? std::make_unique<NetWait>(options.ring) : nullptr),
        machines_(pool, *this,
                  {.name = std::string(P::kThreadName) + "thread",
                   .max_threads = std::max(options.max_threads, workers + 1),
                   .keep_alive = options.keep_alive},
                  net_.get()),
        permits_(options.max_threads > workers ? options.max_threads - workers : 1),
        seen_(workers) {
  }

  // Starts the workers, each on a thread, and the monitor. Throws std::runtime_error when the
  // machine refuses a thread; all threads have ended then.
  void Begin();

  // Returns when all threads have ended. Call it after Coordinator::RequestStop().
  void Join() noexcept {
    machines_.Join();
    sysmon_.reset();
  }

  // ---- The worker's side of a call ----

  // Returns whether a fiber in a blocking call leaves its worker.
  bool HandsOff() const noexcept {
    return hands_off_;
  }

  // Submits fibers whose sockets are ready. Returns how many. Any thread of the pool.
  std::size_t LookAtNet() noexcept {
    return net_ != nullptr ? net_->Look() : 0;
  }

  // Calls LookAtNet() unless threads of the pool have polled a short time ago (NetWait).
  std::size_t LookAtNetIfDue(bool crowded) noexcept {
    return net_ != nullptr ? net_->LookIfDue(platform::NowNs(), crowded) : 0;
  }

  // Returns whether the fibers of a worker make their calls on sockets in batches.
  bool BatchesCalls() const noexcept {
    return net_ != nullptr && net_->UsesRing();
  }

  // Takes a permit for one more thread that runs no worker. False: the config allows no more.
  bool TryTakePermit() noexcept {
    return permits_.TryAcquire();
  }

  // Takes a permit. Suspends the running fiber until a permit is free.
  void WaitForPermit() noexcept {
    if (waits_.FetchAdd(1, memory_order_relaxed) == 0) {
      PrintWarning(
          "blocking calls wait, because max_threads threads are in use    --set max_threads=N");
    }
    executors::HappensAfter(&permits_);  // Begin()
    permits_.Acquire();
  }

  // Requires: the caller is on the scheduler's side once.
  void ReturnPermit() noexcept {
    const executors::UserSide user;      // it may submit a fiber
    executors::HappensAfter(&permits_);  // Begin()
    permits_.Release();
    // It happens before Stop(), after which the permits are destroyed.
    executors::HappensBefore(static_cast<const executors::IExecutor&>(pool_));
  }

  // Called before the caller's worker is handed off. The pool does not end before EndCall().
  void BeginCall() noexcept {
    calls_.FetchAdd(1, memory_order_relaxed);
    handoffs_.FetchAdd(1, memory_order_relaxed);
  }

  // Called when the thread of a handed-off worker has a worker again, or has submitted its fiber.
  void EndCall() noexcept {
    ReturnPermit();
    // release: pairs with the acquire in Calls(); the claim of a worker for the fiber precedes it.
    calls_.FetchSub(1, memory_order_release);
    pool_.Coordination().AnnounceOutside();
  }

  // Number of threads that will submit a fiber and run no worker: those in calls whose workers were
  // handed off, and the monitor in MakeCallsOf(). Zero or not is exact if all are idle.
  std::uint32_t Calls() const noexcept {
    // acquire: pairs with the release in EndCall() and MakeCallsOf().
    return calls_.Load(memory_order_acquire);
  }

  // Number of threads of the pool.
  std::uint64_t Threads() const noexcept {
    return machines_.Threads();
  }

  // Returns whether fibers are to yield at the end of a time slice.
  bool Preempts() const noexcept {
    return slice_ns_ != 0;
  }

  // Lets a thread run `worker`, which belongs to the caller.
  void Run(std::uint32_t worker) noexcept {
    WakeMonitor();
    machines_.Run(worker);
  }

  // Called after the step that claims a worker: the worker is not idle any more.
  void WakeMonitor() noexcept {
    if (sysmon_) {
      sysmon_->Wake();
    }
  }

  // Returns how many parts of fibers ended without a worker. Acquires what they submitted.
  std::uint64_t DoneOutside() const noexcept {
    // acquire: pairs with the release in TaskDoneOutside().
    return done_outside_.Load(memory_order_acquire);
  }

  // Adds these counts to `pool`. Any thread.
  void Count(metrics::PoolMetrics& pool) noexcept;

  // ---- IVacancies ----

  void Fill(std::uint32_t worker) noexcept override {
    Run(worker);
  }

  // ---- IMachineOwner ----

  void Serve(std::uint32_t worker, Machine& machine) noexcept override;
  void TaskDoneOutside(Machine& machine) noexcept override;
  executors::ITaskSource* EndBlocking(Machine& machine) noexcept override;

  // ---- IMonitored ----

  bool Look(std::uint64_t now_ns) noexcept override;
  bool IsIdle() const noexcept override {
    return pool_.Coordination().AllIdle();
  }

  // Takes over `worker` from its thread, which is in short call number `call`. False: the call has
  // ended, or no permit is free. Any thread.
  bool TryRetake(std::uint32_t worker, std::uint64_t call) noexcept;

  // Makes the calls on sockets that wait in the batch of `worker`. Returns whether there were any.
  // The monitor calls this.
  bool MakeCallsOf(std::uint32_t worker) noexcept;

 private:
  // A call that lasts this long loses its worker even if nothing waits for it (10 ms in Go).
  static constexpr std::uint64_t kLongCallNs = 10'000'000;

  // If no thread of the pool has polled for this long, the monitor does (10 ms in Go).
  static constexpr std::uint64_t kMonitorPollNs = 10'000'000;

  // If a worker has not made the calls of its fibers for this long, the monitor does: a fiber keeps
  // the worker busy, and no worker is idle. Fifty times the time that a call waits by itself.
  static constexpr std::uint64_t kMonitorCallsNs = 50 * fibers::CallBatch::kMostNs;

  // What the monitor saw last.
  struct Seen {
    std::uint64_t call = 0;
    std::uint64_t call_since_ns = 0;
    std::uint64_t tasks_run = 0;
    std::uint64_t task_since_ns = 0;  // 0: it ran no task
  };

  bool LookAtCall(std::uint32_t worker, std::uint64_t now_ns) noexcept;
  bool LookAtSlot(std::uint32_t worker) noexcept;
  void LookAtTask(std::uint32_t worker, std::uint64_t now_ns) noexcept;

  // Ends the call of `machine` that keeps its worker. Returns the worker; null: it was taken over.
  Worker<P>* TryKeep(Machine& machine) noexcept;

  WorkerPool<P>& pool_;
  const bool hands_off_;
  const bool signals_;
  const std::uint64_t slice_ns_;
  const std::uint64_t retake_ns_;
  const std::unique_ptr<NetWait> net_;  // null: another thread of the process polls
  Machines machines_;
  fibers::Semaphore permits_;
  // Written at the start and the end of what Calls() counts. relaxed: the start is ordered by
  // (park) of the worker, which follows BeginCall() or the taking of its calls.
  alignas(kCacheLine) Atomic<std::uint32_t> calls_{0};
  Atomic<std::uint64_t> done_outside_{0};
  Atomic<std::uint64_t> handoffs_{0};          // relaxed: a statistic
  Atomic<std::uint64_t> retakes_{0};           // relaxed: a statistic
  Atomic<std::uint64_t> returns_to_own_{0};    // relaxed: a statistic
  Atomic<std::uint64_t> returns_to_idle_{0};   // relaxed: a statistic
  Atomic<std::uint64_t> returns_to_queue_{0};  // relaxed: a statistic
  Atomic<std::uint64_t> waits_{0};             // relaxed: a statistic
  Atomic<std::uint64_t> longest_run_ns_{0};    // written by the monitor; relaxed: a statistic
  Atomic<std::uint64_t> slots_emptied_{0};     // relaxed: a statistic
  std::vector<Seen> seen_;                     // one for each worker; used by the monitor
  std::optional<Sysmon> sysmon_;
};

template <contracts::Policies P>
void HandOff<P>::Begin() {
  executors::HappensBefore(&permits_);
  const auto& workers = pool_.Workers();
  try {
    if (net_ != nullptr || retake_ns_ != 0 || slice_ns_ != 0 || workers.front()->SlotIsWatched()) {
      sysmon_.emplace(*this, "sysmon");
    }
    for (std::uint32_t i = 0; i < workers.size(); ++i) {
      machines_.RunFirst(i);
    }
  } catch (...) {
    pool_.Coordination().Abandon();
    machines_.End();
    Join();
    throw;
  }
}

template <contracts::Policies P>
void HandOff<P>::Serve(std::uint32_t worker, Machine& machine) noexcept {
  for (Worker<P>* next = pool_.Workers()[worker].get(); next != nullptr;) {
    next->Serve(machine);
    const executors::SchedulerSide side;
    // The fiber may have suspended in the middle of a call.
    next = TryKeep(machine);
  }
  const executors::SchedulerSide side;
  if (machine.call == Machine::Call::kHandedOff) {
    machine.call = Machine::Call::kNone;
    EndCall();
  }
  if (pool_.Coordination().HasEnded()) {
    machines_.End();
  }
}

template <contracts::Policies P>
Worker<P>* HandOff<P>::TryKeep(Machine& machine) noexcept {
  if (machine.call != Machine::Call::kKeepsWorker) {
    return nullptr;
  }
  Worker<P>& worker = *pool_.Workers()[machine.worker];
  if (!worker.TryEndCall(machine.call_number)) {
    machine.call = Machine::Call::kHandedOff;
    return nullptr;
  }
  machine.call = Machine::Call::kNone;
  return &worker;
}

template <contracts::Policies P>
void HandOff<P>::TaskDoneOutside(Machine& machine) noexcept {
  // release: pairs with the acquire in DoneOutside(): it sees all that the part submitted.
  done_outside_.FetchAdd(1, memory_order_release);
  if (machine.call == Machine::Call::kHandedOff) {
    machine.call = Machine::Call::kNone;
    EndCall();
  } else {
    pool_.Coordination().AnnounceOutside();
  }
}

template <contracts::Policies P>
executors::ITaskSource* HandOff<P>::EndBlocking(Machine& machine) noexcept {
  if (Worker<P>* const worker = TryKeep(machine)) {
    worker->Continue(machine);
    return worker;
  }
  const std::uint32_t taken = pool_.Coordination().TryTake(machine.worker);
  if (taken == Coordinator::kNone) {
    returns_to_queue_.FetchAdd(1, memory_order_relaxed);
    return nullptr;
  }
  (taken == machine.worker ? returns_to_own_ : returns_to_idle_)
      .FetchAdd(1, memory_order_relaxed);  // relaxed: a statistic
  WakeMonitor();
  Worker<P>& worker = *pool_.Workers()[taken];
  worker.ContinueOnVacant(machine);
  machine.call = Machine::Call::kNone;
  EndCall();
  return &worker;
}

template <contracts::Policies P>
bool HandOff<P>::TryRetake(std::uint32_t worker, std::uint64_t call) noexcept {
  if (!permits_.TryAcquire()) {
    return false;
  }
  BeginCall();
  Worker<P>& retaken = *pool_.Workers()[worker];
  if (!retaken.TryEndCall(call)) {
    handoffs_.FetchSub(1, memory_order_relaxed);
    EndCall();
    return false;
  }
  retakes_.FetchAdd(1, memory_order_relaxed);
  retaken.LeaveToOthers();
  return true;
}

template <contracts::Policies P>
bool HandOff<P>::Look(std::uint64_t now_ns) noexcept {
  bool changed = false;
  for (std::uint32_t worker = 0; worker < seen_.size(); ++worker) {
    changed = LookAtCall(worker, now_ns) || changed;
    changed = LookAtSlot(worker) || changed;
    if (pool_.Workers()[worker]->Batch().IsOlder(kMonitorCallsNs)) {
      changed = MakeCallsOf(worker) || changed;
    }
    LookAtTask(worker, now_ns);
  }
  if (net_ != nullptr) {
    net_->LookFromOutsideIfOlder(kMonitorPollNs, now_ns);
  }
  return changed;
}

template <contracts::Policies P>
bool HandOff<P>::LookAtCall(std::uint32_t worker, std::uint64_t now_ns) noexcept {
  const Worker<P>& looked_at = *pool_.Workers()[worker];
  const std::uint64_t call = looked_at.CurrentCall();
  if (retake_ns_ == 0 || !CallWord::IsCall(call)) {
    return false;
  }
  Seen& seen = seen_[worker];
  if (seen.call != call) {
    seen.call = call;
    seen.call_since_ns = now_ns;
    return false;
  }
  const std::uint64_t lasted = now_ns - seen.call_since_ns;
  if (lasted < retake_ns_) {
    return false;
  }
  // Go's rule: the worker is worth a thread if tasks wait on it, if no worker is idle or searches,
  // or if the call is long.
  const Coordinator::Workers count = pool_.Coordination().Count();
  const bool is_wanted = looked_at.HasTasksAtHand() || count.idle + count.searching == 0;
  return (is_wanted || lasted >= kLongCallNs) && TryRetake(worker, call);
}

// Two checks see the same run if the worker's number of tasks and blocking calls has not changed: a
// task that ends after a blocking call may end without the worker.
template <contracts::Policies P>
void HandOff<P>::LookAtTask(std::uint32_t worker, std::uint64_t now_ns) noexcept {
  Worker<P>& looked_at = *pool_.Workers()[worker];
  const bool runs = looked_at.CurrentActivity() == executors::WorkerActivity::kRun &&
                    !CallWord::IsCall(looked_at.CurrentCall());
  const std::uint64_t tasks_run =
      looked_at.metrics.tasks_run.Get() + looked_at.metrics.blocking_calls.Get();
  Seen& seen = seen_[worker];
  if (!runs || seen.task_since_ns == 0 || seen.tasks_run != tasks_run) {
    seen.tasks_run = tasks_run;
    seen.task_since_ns = runs ? now_ns : 0;
    return;
  }
  const std::uint64_t lasted = now_ns - seen.task_since_ns;
  if (lasted > longest_run_ns_.Load(memory_order_relaxed)) {
    longest_run_ns_.Store(lasted, memory_order_relaxed);
  }
  if (slice_ns_ != 0 && lasted >= slice_ns_) {
    looked_at.RequestPreemption();
    if (signals_) {
      platform::PreemptSignal::Send(looked_at.ThreadNumber());
    }
  }
}

template <contracts::Policies P>
bool HandOff<P>::LookAtSlot(std::uint32_t worker) noexcept {
  Worker<P>& looked_at = *pool_.Workers()[worker];
  if (!looked_at.SlotIsWatched()) {
    return false;
  }
  if (executors::TaskBase* const task = looked_at.TakeStuckTask(pool_.Watch())) {
    slots_emptied_.FetchAdd(1, memory_order_relaxed);
    pool_.Global().Push(task);
    pool_.Notify();
    return true;
  }
  return false;
}

template <contracts::Policies P>
bool HandOff<P>::MakeCallsOf(std::uint32_t worker) noexcept {
  // The pool does not end before the fibers are submitted. relaxed: before the release in
  // CallBatch::TakeAll(), which pairs with the acquire of the worker that finds no call and parks.
  calls_.FetchAdd(1, memory_order_relaxed);
  const bool has_made = pool_.Workers()[worker]->Batch().MakeAllAlone() != 0;
  // release: as in EndCall().
  calls_.FetchSub(1, memory_order_release);
  pool_.Coordination().AnnounceOutside();
  return has_made;
}

template <contracts::Policies P>
void HandOff<P>::Count(metrics::PoolMetrics& pool) noexcept {
  const Machines::Counts threads = machines_.Count();
  pool.tasks_outside.Add(DoneOutside());
  pool.threads_created.Add(threads.started);
  pool.threads_most.Add(threads.peak);
  pool.longest_run.Add(longest_run_ns_.Load(memory_order_relaxed));
  pool.blocking_waits.Add(waits_.Load(memory_order_relaxed));
  pool.handoffs.Add(handoffs_.Load(memory_order_relaxed));
  pool.retakes.Add(retakes_.Load(memory_order_relaxed));
  pool.returns_to_own.Add(returns_to_own_.Load(memory_order_relaxed));
  pool.returns_to_idle.Add(returns_to_idle_.Load(memory_order_relaxed));
  pool.returns_to_queue.Add(returns_to_queue_.Load(memory_order_relaxed));
  pool.slots_emptied.Add(slots_emptied_.Load(memory_order_relaxed));
  pool.net_polls.Add(net_ != nullptr ? net_->Polls() : 0);
  pool.net_ready.Add(net_ != nullptr ? net_->Ready() : 0);
  for (const auto& worker : pool_.Workers()) {
    pool.net_batches.Add(worker->Batch().Batches());
    pool.net_batched.Add(worker->Batch().Calls());
  }
  pool.files_in_ring.Add(net_ != nullptr ? net_->FilesInRing() : 0);
  pool.sysmon_cpu.Add(sysmon_ ? sysmon_->CpuNs() : 0);
}

}  // namespace schedbench::schedulers

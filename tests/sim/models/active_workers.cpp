// Models of a number of workers that changes: schedulers/pool/README.md, "Changing the number of
// workers".
#include "base/spin_wait.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "tests/sim/models/fast.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::active_workers_model {

namespace {

using executors::SchedulerHint;
using schedulers::Coordinator;
using schedulers::fast::ThreadPool;

// The way of a deactivated worker. Returns whether it is searching then.
bool ParkUntilActive(Coordinator& coordinator, std::uint32_t worker, bool searching = false) {
  while (!coordinator.IsActive(worker)) {
    coordinator.AnnounceInactive(worker, searching);
    if (coordinator.IsActive(worker) && coordinator.CancelInactive(worker)) {
      return true;
    }
    coordinator.Park(worker);
    searching = true;
  }
  return searching;
}

const ModelRegistration kRaise{{
    .name = "active_workers/raise",
    .claim = "a worker that is deactivated while it is activated again is woken, or does not sleep",
    .limits = {.preemptions = 6, .stale_reads = 3, .spurious = 1},
    .body =
        [] {
          Coordinator coordinator(2, 1);
          coordinator.SetActive(1, 1);
          platform::Thread worker("worker", [&] { ParkUntilActive(coordinator, 1); });
          coordinator.SetActive(2, 1);
        },
}};

// While a worker searches, an announcement asks for no recheck, and has no fence by that.
const ModelRegistration kRaiseBesideASearcher{{
    .name = "active_workers/raise_beside_a_searcher",
    .claim = "a worker that is deactivated while it is activated again is woken, or does not sleep",
    .limits = {.preemptions = 6, .stale_reads = 3, .spurious = 0},
    .body =
        [] {
          Coordinator coordinator(3, 2);
          coordinator.SetActive(1, 2);
          Check(coordinator.TryBeginSearch(), "no worker searches yet");
          platform::Thread worker("worker", [&] { ParkUntilActive(coordinator, 1); });
          coordinator.SetActive(2, 2);
        },
}};

const ModelRegistration kRaiseAndPublish{{
    .name = "active_workers/raise_and_publish",
    .claim = "a task whose publisher does not know the new worker yet is seen by that worker",
    .limits = {.preemptions = 4, .stale_reads = 3, .spurious = 0},
    .body =
        [] {
          Coordinator coordinator(2, 1);
          coordinator.SetActive(1, 1);
          Atomic<std::uint32_t> task{0};
          platform::Thread worker("worker", [&] {
            bool searching = ParkUntilActive(coordinator, 1);
            // relaxed: found late, it is found after the announcement, whose fence orders it.
            while (task.Load(memory_order_relaxed) == 0) {
              if (!coordinator.AnnouncePark(1, searching).recheck ||
                  task.Load(memory_order_relaxed) == 0 || !coordinator.CancelPark(1)) {
                coordinator.Park(1);
              }
              searching = true;
            }
          });
          platform::Thread raising("raising", [&] { coordinator.SetActive(2, 1); });
          task.Store(1, memory_order_relaxed);  // relaxed: published by Notify()
          coordinator.Notify();
        },
}};

// Worker 1 is claimed as soon as it can be; worker 0 parks meanwhile, and depends on all fields of
// the word.
const ModelRegistration kRaiseBesideAParkingWorker{{
    .name = "active_workers/raise_beside_a_parking_worker",
    .claim = "activating a worker leaves all other counts as they are",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Coordinator coordinator(2, 2);
          coordinator.SetActive(1, 1);
          platform::Thread inactive("inactive", [&] {
            if (ParkUntilActive(coordinator, 1)) {
              coordinator.EndSearch();
            }
          });
          platform::Thread parking("parking", [&] {
            Check(!coordinator.AnnouncePark(0, false).last, "a worker ends without a stop");
            Check(coordinator.CancelPark(0), "claimed, though there is no publisher");
            coordinator.EndSearch();
          });
          coordinator.SetActive(2, 2);
          inactive.Join();
          parking.Join();
          // relaxed: all threads have ended.
          Check(coordinator.State().Load(memory_order_relaxed) == 0,
                "a worker is counted that runs");
        },
}};

// A worker that is inactive and parked as idle: WakeDeactivated() sends it on, and a publisher may
// claim it at the same time.
const ModelRegistration kDeactivateWhileIdle{{
    .name = "active_workers/deactivate_while_idle",
    .claim = "an idle worker that is deactivated is claimed once, and is inactive after that",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Coordinator coordinator(3, 2);
          coordinator.AnnouncePark(2, false);
          platform::Thread worker("worker", [&] {
            coordinator.Park(2);
            ParkUntilActive(coordinator, 2, true);
            coordinator.EndSearch();
          });
          platform::Thread publisher("publisher", [&] { coordinator.Notify(); });
          coordinator.SetActive(2, 1);
          coordinator.WakeDeactivated();
          coordinator.SetActive(3, 2);
          worker.Join();
          publisher.Join();
          // relaxed: all threads have ended.
          Check(coordinator.State().Load(memory_order_relaxed) == 0,
                "a worker is counted that runs");
        },
}};

const ModelRegistration kMeet{{
    .name = "active_workers/meet",
    .claim = "tasks that wait for each other meet once there are workers enough",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          pool.SetActiveWorkers(1);
          Meeting<2> meeting;
          for (const std::size_t i : {0U, 1U}) {
            SubmitWithPayload(pool, [&meeting, i] { meeting.Meet(i); });
          }
          pool.SetActiveWorkers(2);
          pool.Stop();
        },
}};

const ModelRegistration kMeetWhileRaised{{
    .name = "active_workers/meet_while_raised",
    .claim =
        "tasks that wait for each other meet also when the publisher does not know the new number",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          pool.SetActiveWorkers(1);
          platform::Thread raising("raising", [&] { pool.SetActiveWorkers(2); });
          Meeting<2> meeting;
          for (const std::size_t i : {0U, 1U}) {
            SubmitWithPayload(pool, [&meeting, i] { meeting.Meet(i); });
          }
          raising.Join();
          pool.Stop();
        },
}};

// One worker is deactivated, wherever it is, while a task submits to the queue and to the slot.
template <SchedulerHint Hint>
void LowerWhileATaskSubmits() {
  ThreadPool pool(SmallConfig(2), 1);
  Runs<2> runs;
  SubmitWithPayload(pool, [&] {
    runs.Note(0);
    SubmitWithPayload(pool, [&] { runs.Note(1); }, Hint);
  });
  pool.SetActiveWorkers(1);
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a task had run");
  pool.Stop();
}

const ModelRegistration kLower{{
    .name = "active_workers/lower",
    .claim = "a deactivated worker loses no task of its queue, and WaitIdle and Stop return",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &LowerWhileATaskSubmits<SchedulerHint::UpToYou>,
}};

const ModelRegistration kLowerNext{{
    .name = "active_workers/lower_next",
    .claim = "a deactivated worker hands off the task in its slot",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &LowerWhileATaskSubmits<SchedulerHint::Next>,
}};

// Other workers can steal from the yield queue of a parked worker: a task that is forgotten there
// runs all the same, but late.
void LowerWithAYieldQueue() {
  ThreadPool pool(SmallConfig(2), 1);
  Meeting<2> meeting;
  Runs<1> runs;
  const metrics::WorkerMetrics& metrics = pool.Workers()[1]->metrics;
  std::uint64_t parks_before = 0;
  platform::ThreadEvent lowered;
  for (const std::size_t i : {0U, 1U}) {
    SubmitWithPayload(pool, [&, i] {
      meeting.Meet(i);
      // The thread of the second worker, the one that is deactivated, is started second.
      if (Machine::Instance().CurrentThread() == 2) {
        SubmitWithPayload(pool, [&runs] { runs.Note(0); }, SchedulerHint::Yield);
        pool.SetActiveWorkers(1);
        parks_before = metrics.parks.Get();
        lowered.Set();
        return;
      }
      lowered.Wait();
      SpinWait spin;
      while (metrics.parks.Get() == parks_before) {
        spin.Spin();
      }
      Check(pool.Workers()[1]->TasksToRun() == 0, "a deactivated worker keeps a task");
    });
  }
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a task had run");
  pool.Stop();
}

const ModelRegistration kLowerWithAYieldQueue{{
    .name = "active_workers/lower_with_a_yield_queue",
    .claim = "a deactivated worker hands off the tasks in its yield queue",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &LowerWithAYieldQueue,
}};

// A fiber that yields alone on a worker keeps that from sleep: it must recheck to learn that it is
// inactive.
void MoveAYieldingFiber() {
  ThreadPool pool(SmallConfig(2), 1);
  fibers::Go(pool, [] {
    // The thread of the worker that stays is the first that was started.
    while (Machine::Instance().CurrentThread() != 1) {
      SpinWait().Spin();
      fibers::Yield();
    }
  });
  pool.SetActiveWorkers(
      2);  // a call that changes nothing, which it may be at when the next one comes
  pool.SetActiveWorkers(1);
  pool.Stop();
}

const ModelRegistration kLowerYielding{{
    .name = "active_workers/lower_under_a_yielding_fiber",
    .claim = "a worker that is deactivated learns it, and knows then which workers are active",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &MoveAYieldingFiber,
}};

// The fiber is pinned to the thread of the second worker when that one is deactivated, and yields
// until it is on the first.
void LowerWithAPinnedFiber() {
  schedulers::fast::FastConfig config = SmallConfig(2);
  config.blocking.value = schedulers::fast::Blocking::kHandOff;
  config.lifo_steal.value = schedulers::fast::LifoSteal::kNever;
  config.syscall_retake_us.value = 0;
  config.idle_thread_s.value = 2 * 86400;  // a wait of a day or more never times out there
  ThreadPool pool(config, 1);
  Meeting<2> meeting;
  for (const std::size_t i : {0U, 1U}) {
    fibers::Go(pool, [&, i] {
      meeting.Meet(i);
      const auto& second = pool.Workers()[1];
      if (second->Current() != second.get()) {
        return;
      }
      executors::Submit(pool, [&pool] { pool.SetActiveWorkers(1); });
      fibers::FiberThread::PreemptBySignal();
      while (second->Current() == second.get()) {
        SpinWait().Spin();
        fibers::Yield();
      }
    });
  }
  pool.Stop();
}

const ModelRegistration kLowerPinned{{
    .name = "active_workers/lower_with_a_pinned_fiber",
    .claim = "a worker that is deactivated resumes its pinned fibers, and stays active no longer",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &LowerWithAPinnedFiber,
}};

// The one that stays may be asleep while the inactive one is woken for a task.
const ModelRegistration kPassOn{{
    .name = "active_workers/woken_by_mistake",
    .claim = "a task is run although an inactive worker is woken for it",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<1> runs;
          platform::Thread lowering("lowering", [&] { pool.SetActiveWorkers(1); });
          SubmitWithPayload(pool, [&] { runs.Note(0); });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          lowering.Join();
          pool.Stop();
        },
}};

}  // namespace

}  // namespace schedbench::sim::active_workers_model

// Models of the pause before a search: schedulers/pool/README.md, "A pause before a search". While
// a thread can continue, the clock advances by little. So a pause ends by its time only if all
// other threads wait.
#include "base/spin_wait.hpp"
#include "tests/sim/models/fast.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::search_pause_model {

namespace {

using schedulers::GlobalQueueKind;

void SpinUntil(auto holds) {
  for (SpinWait spin; !holds();) {
    spin.Spin();
  }
}

// A pool whose workers pause after a task. They have been idle: before its first sleep a worker
// does not know for how long it has run tasks, and does not pause.
class PausingPool {
 public:
  explicit PausingPool(std::uint32_t workers, GlobalQueueKind global = GlobalQueueKind::kMutex)
      : pool_(ConfigOf(workers, global), 1) {
    SpinUntilAllIdle();
    begin_ns_ = Machine::Instance().Time();
  }

  auto& operator*() noexcept {
    return pool_;
  }

  auto* operator->() noexcept {
    return &pool_;
  }

  void SpinUntilAllIdle() {
    SpinUntil([this] { return pool_.Coordination().AllIdle(); });
  }

  // Fails if a pause has ended by its time.
  void CheckNoPauseHasEndedByItsTime(const char* what) const {
    Check(Machine::Instance().Time() - begin_ns_ < Machine::kSpinNs, what);
  }

 private:
  static schedulers::fast::FastConfig ConfigOf(std::uint32_t workers, GlobalQueueKind global) {
    auto config = SmallConfig(workers);
    config.global_queue.value = global;
    config.search_pause_us.value = 50;
    return config;
  }

  schedulers::fast::ThreadPool pool_;
  std::uint64_t begin_ns_;
};

// One worker runs a task that waits for its child; another one pauses, and others are idle.
template <std::uint32_t Workers>
void WaitForAChild() {
  PausingPool pool(Workers);
  Meeting<2> begun;
  Meeting<2> meeting;
  SubmitWithPayload(*pool, [&] {
    begun.Meet(0);
    SubmitWithPayload(*pool, [&] {
      if (Workers > 2) {
        pool.CheckNoPauseHasEndedByItsTime("a task waited for the end of a pause");
      }
      meeting.Meet(1);
    });
    meeting.Meet(0);
  });
  SubmitWithPayload(*pool, [&] { begun.Meet(1); });
  pool->Stop();
}

const ModelRegistration kChild{{
    .name = "search_pause/a_task_that_waits_for_its_child",
    .claim = "a worker that pauses takes the task in the queue of one that is busy, and none hangs",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = &WaitForAChild<2>,
}};

const ModelRegistration kIdleWorker{{
    .name = "search_pause/a_child_beside_an_idle_worker",
    .claim = "a submit wakes an idle worker, although another one pauses",
    .limits = {.preemptions = 0, .stale_reads = 0, .spurious = 0},
    .body = &WaitForAChild<3>,
}};

template <GlobalQueueKind Global>
void SubmitInAPause() {
  PausingPool pool(2, Global);
  Meeting<2> begun;
  Meeting<2> meeting;
  platform::ThreadEvent is_over;
  SubmitWithPayload(*pool, [&] {
    begun.Meet(0);
    meeting.Meet(0);
  });
  SubmitWithPayload(*pool, [&] {
    begun.Meet(1);
    is_over.Set();
  });
  is_over.Wait();
  SubmitWithPayload(*pool, [&] {
    pool.CheckNoPauseHasEndedByItsTime("a task waited for the end of a pause");
    meeting.Meet(1);
  });
  pool->Stop();
}

const ModelRegistration kExternal{{
    .name = "search_pause/an_external_submission",
    .claim = "a task that is submitted from outside does not wait for the end of a pause",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body = &SubmitInAPause<GlobalQueueKind::kMutex>,
}};

const ModelRegistration kExternalLockFree{{
    .name = "search_pause/an_external_submission_without_a_lock",
    .claim = "the same, when no lock guards the counts of the global queue",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body = &SubmitInAPause<GlobalQueueKind::kLockFree>,
}};

// Each worker has a task. The last worker, whose task ends first, is deactivated.
template <std::size_t Workers>
void DeactivateInAPause() {
  PausingPool pool(Workers);
  Meeting<Workers> begun;
  platform::ThreadEvent is_over;
  const metrics::WorkerMetrics& metrics = pool->Workers()[Workers - 1]->metrics;
  for (std::size_t i = 0; i < Workers; ++i) {
    SubmitWithPayload(*pool, [&, i] {
      begun.Meet(i);
      // The threads of the workers are started in the order of their numbers, after thread 0.
      switch (Machine::Instance().CurrentThread()) {
        case Workers:
          return;
        case 1:
          break;
        default:
          is_over.Wait();
          return;
      }
      const std::uint64_t parks_before = metrics.parks.Get();
      pool->SetActiveWorkers(Workers - 1);
      SpinUntil([&] { return metrics.parks.Get() != parks_before; });
      pool.CheckNoPauseHasEndedByItsTime("a deactivated worker paused to the end");
      Check(pool->OthersRun(), "a worker is counted as pausing that sleeps");
      is_over.Set();
    });
  }
  pool->Stop();
}

const ModelRegistration kDeactivated{{
    .name = "search_pause/a_worker_that_is_deactivated",
    .claim =
        "a worker that is deactivated in a pause parks at once, and is not counted as pausing then",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = &DeactivateInAPause<2>,
}};

const ModelRegistration kDeactivatedBesideTwo{{
    .name = "search_pause/a_worker_that_is_deactivated_beside_two",
    .claim = "the same, when the pause might continue, because two others run tasks",
    .limits = {.preemptions = 0, .stale_reads = 0, .spurious = 0},
    .body = &DeactivateInAPause<3>,
}};

const ModelRegistration kTwo{{
    .name = "search_pause/two_pauses_at_a_time",
    .claim = "pauses end without their time when no worker has a task, and none is counted then",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          PausingPool pool(2);
          Meeting<2> meeting;
          for (const std::size_t i : {0U, 1U}) {
            SubmitWithPayload(*pool, [&meeting, i] { meeting.Meet(i); });
          }
          pool.SpinUntilAllIdle();
          pool.CheckNoPauseHasEndedByItsTime("workers without a task paused to the end");
          SubmitWithPayload(*pool, [&pool] {
            Check(pool->OthersRun(), "a worker is counted as pausing that sleeps");
          });
          pool->Stop();
        },
}};

}  // namespace

}  // namespace schedbench::sim::search_pause_model

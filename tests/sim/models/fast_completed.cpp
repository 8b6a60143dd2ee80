// Models of what a config turns on in schedulers/fast: slots open to thieves, other meanings of
// idleness, other global queues, tasks that are submitted many at a time.
#include "base/spin_wait.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sync/event.hpp"
#include "platform/threads/futex.hpp"
#include "tests/sim/models/fast.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::fast_completed_model {

namespace {

using executors::SchedulerHint;
using executors::TaskBase;
using schedulers::QuiescenceCriterion;
using schedulers::fast::FastConfig;
using schedulers::fast::LifoSteal;
using schedulers::fast::ThreadPool;

constexpr Limits kLimits{.preemptions = 2, .stale_reads = 1, .spurious = 0};

FastConfig With(auto change) {
  FastConfig config = SmallConfig(2);
  change(config);
  return config;
}

const ModelRegistration kSlotMeet{{
    .name = "fast/a_slot_open_to_thieves",
    .claim = "a worker is woken for the task in another's slot, and it is taken once",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(
              With([](FastConfig& config) { config.lifo_steal.value = LifoSteal::kWake; }), 1);
          Meeting<2> meeting;
          SubmitWithPayload(pool, [&] {
            SubmitWithPayload(pool, [&] { meeting.Meet(1); }, SchedulerHint::Next);
            meeting.Meet(0);
          });
          pool.Stop();
        },
}};

// A fiber joins one that it has just started, while a worker that was woken for it may take it.
template <SchedulerHint Hint, QuiescenceCriterion Idle>
void JoinOwnFiber() {
  ThreadPool pool(With([](FastConfig& config) {
                    config.lifo_steal.value = LifoSteal::kWake;
                    config.wait_idle.value = Idle;
                  }),
                  1);
  Runs<2> runs;
  fibers::Go(pool, [&] {
    auto child = fibers::Spawn(pool, [&] { runs.Note(0); }, {.name = "", .hint = Hint});
    child.Join();
    runs.CheckOnce(0, "Join returned before the fiber had ended");
    runs.Note(1);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
  pool.Stop();
}

const ModelRegistration kJoinQueued{{
    .name = "fast/join_a_fiber_in_the_queue",
    .claim = "a fiber that is joined before it starts runs once, inline or on the worker that "
             "stole it",
    .limits = kLimits,
    .body = &JoinOwnFiber<SchedulerHint::UpToYou, QuiescenceCriterion::kTasks>,
}};

const ModelRegistration kJoinNext{{
    .name = "fast/join_a_fiber_in_the_slot",
    .claim = "a fiber that is joined before it starts runs once, inline or on the worker that "
             "stole it",
    .limits = kLimits,
    .body = &JoinOwnFiber<SchedulerHint::Next, QuiescenceCriterion::kFibers>,
}};

const ModelRegistration kJoinWaiting{{
    .name = "fast/join_a_fiber_that_waits",
    .claim = "WaitIdle does not wait for a fiber that joins a suspended one",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<1> runs;
          fibers::Event event;
          fibers::Go(pool, [&] {
            fibers::Spawn(pool, [&] { event.Wait(); }).Join();
            runs.Note(0);
          });
          pool.WaitIdle();
          event.Fire();
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
          pool.Stop();
        },
}};

const ModelRegistration kSlotRace{{
    .name = "fast/a_slot_that_two_take",
    .claim = "owner and thief take the task in a slot once",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(
              With([](FastConfig& config) { config.lifo_steal.value = LifoSteal::kWake; }), 1);
          Runs<2> runs;
          SubmitWithPayload(pool, [&] {
            runs.Note(0);
            SubmitWithPayload(pool, [&] { runs.Note(1); }, SchedulerHint::Next);
          });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

// A task that puts `next` into its slot and holds its worker until that has begun.
template <std::size_t N>
void SubmitTaskThatWaitsForItsSlot(ThreadPool& pool, Meeting<N>& meeting) {
  SubmitWithPayload(pool, [&pool, &meeting] {
    SubmitWithPayload(pool, [&meeting] { meeting.Meet(1); }, SchedulerHint::Next);
    meeting.Meet(0);
  });
}

const ModelRegistration kWatch{{
    .name = "fast/a_watched_slot",
    .claim = "a task does not stay in the slot of a worker whose running task waits for it",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Meeting<2> meeting;
          SubmitTaskThatWaitsForItsSlot(pool, meeting);
          pool.Stop();
        },
}};

const ModelRegistration kWatchAgain{{
    .name = "fast/a_watched_slot_after_a_rest",
    .claim = "the same, when all workers have been idle before",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          SubmitWithPayload(pool, [] {});
          pool.WaitIdle();
          Meeting<2> meeting;
          SubmitTaskThatWaitsForItsSlot(pool, meeting);
          pool.Stop();
        },
}};

const ModelRegistration kWatchPassesOn{{
    .name = "fast/a_watched_slot_whose_watcher_gets_work",
    .claim = "the same, when the worker that watches gets a task that does not end",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          ThreadPool pool(SmallConfig(3), 1);
          Meeting<3> meeting;
          SubmitTaskThatWaitsForItsSlot(pool, meeting);
          // One of the two others watches then.
          for (SpinWait spin; pool.Coordination().Count().idle != 2 || !meeting.HasBegun(0);) {
            spin.Spin();
          }
          SubmitWithPayload(pool, [&] { meeting.Meet(2); });
          // Before Stop(), which would wake a worker.
          pool.WaitIdle();
          pool.Stop();
        },
}};

const ModelRegistration kWatchBeginsLate{{
    .name = "fast/a_watched_slot_whose_put_wakes_a_worker_for_work",
    .claim = "the same, when the worker that the task in the slot wakes gets a task that does not "
             "end",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(SmallConfig(3), 1);
          // Time passes while all threads sleep.
          const Atomic<std::uint32_t> never{0};
          while (!pool.Watch().IsResting()) {
            platform::FutexWaitFor(never, 0, std::chrono::milliseconds(10));
          }
          Meeting<3> meeting;
          SubmitWithPayload(pool, [&] {
            SubmitWithPayload(pool, [&] { meeting.Meet(1); }, SchedulerHint::Next);
            SubmitWithPayload(pool, [&] { meeting.Meet(2); });
            meeting.Meet(0);
          });
          // Before Stop(), which would wake a worker.
          pool.WaitIdle();
          pool.Stop();
        },
}};

const ModelRegistration kWatchIsDeactivated{{
    .name = "fast/a_watched_slot_whose_watcher_is_deactivated",
    .claim = "the same, when the worker that watches is deactivated",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(SmallConfig(3), 1);
          Meeting<2> meeting;
          SubmitTaskThatWaitsForItsSlot(pool, meeting);
          pool.SetActiveWorkers(2);
          // Before Stop(), which would wake a worker.
          pool.WaitIdle();
          pool.Stop();
        },
}};

const ModelRegistration kFibers{{
    .name = "fast/wait_idle_for_a_suspended_fiber",
    .claim = "with wait_idle=fibers WaitIdle returns when the fiber has ended, and not before",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(With([](FastConfig& config) {
                            config.wait_idle.value = QuiescenceCriterion::kFibers;
                          }),
                          1);
          Cell<int> ended;
          fibers::Event gate;
          fibers::Go(pool, [&] {
            gate.Wait();
            ended.Write(1);
          });
          platform::Thread firing("firing", [&] { gate.Fire(); });
          pool.WaitIdle();
          Check(ended.Read() == 1, "WaitIdle returned before a fiber had ended");
          firing.Join();
          pool.Stop();
        },
}};

const ModelRegistration kTwoOutsiders{{
    .name = "fast/wait_idle_for_fibers_of_two_outsiders",
    .claim =
        "with wait_idle=fibers no external submission is missed, whatever is submitted beside it",
    .limits = kLimits,
    .body =
        [] {
          FastConfig config = SmallConfig(1);
          config.wait_idle.value = QuiescenceCriterion::kFibers;
          config.global_queue.value = schedulers::GlobalQueueKind::kLockFree;
          ThreadPool pool(config, 1);
          Runs<2> runs;
          platform::Thread other("other", [&] { SubmitWithPayload(pool, [&] { runs.Note(1); }); });
          SubmitWithPayload(pool, [&] { runs.Note(0); });
          other.Join();
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

// Tasks that wait for each other, submitted in one step.
void MeetOfMany(bool from_inside,
                schedulers::GlobalQueueKind kind = schedulers::GlobalQueueKind::kMutex) {
  FastConfig config = SmallConfig(2);
  config.global_queue.value = kind;
  ThreadPool pool(config, 1);
  Meeting<2> meeting;
  class MeetingTask final : public TaskBase {
   public:
    MeetingTask(Meeting<2>& meeting, std::size_t number)
        : meeting_(meeting),
          number_(number) {
    }

    void Run() noexcept override {
      meeting_.Meet(number_);
    }

   private:
    Meeting<2>& meeting_;
    const std::size_t number_;
  };
  MeetingTask first(meeting, 0);
  MeetingTask second(meeting, 1);
  const auto submit = [&] {
    IntrusiveList<TaskBase> tasks;
    tasks.PushBack(&first);
    tasks.PushBack(&second);
    pool.SubmitAll(std::move(tasks), SchedulerHint::UpToYou);
  };
  if (from_inside) {
    executors::Submit(pool, submit);
  } else {
    submit();
  }
  pool.Stop();
}

const ModelRegistration kManyOutside{{
    .name = "fast/many_tasks_from_outside",
    .claim = "tasks that wait for each other, submitted in one step, run at the same time",
    .limits = kLimits,
    .body = [] { MeetOfMany(false); },
}};

const ModelRegistration kManyInside{{
    .name = "fast/many_tasks_from_inside",
    .claim = "tasks that wait for each other, submitted in one step, run at the same time",
    .limits = kLimits,
    .body = [] { MeetOfMany(true); },
}};

const ModelRegistration kLockFree{{
    .name = "fast/many_tasks_through_two_stacks",
    .claim = "tasks that wait for each other, submitted in one step, run at the same time",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = [] { MeetOfMany(false, schedulers::GlobalQueueKind::kLockFree); },
}};

}  // namespace

}  // namespace schedbench::sim::fast_completed_model

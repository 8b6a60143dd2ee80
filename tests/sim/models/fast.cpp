// Models of the whole scheduler: schedulers/fast, with two workers, rings of two slots and every
// limit at its least.
#include "tests/sim/models/fast.hpp"

#include "executors/submit.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::fast_model {

namespace {

using executors::SchedulerHint;
using schedulers::fast::ThreadPool;

constexpr Limits kLimits{.preemptions = 3, .stale_reads = 1, .spurious = 0};
// For what is too large for the above; then there is a model "weakly ordered" beside it, with fewer
// preemptions.
constexpr Limits kOrdered{.preemptions = 3, .stale_reads = 0, .spurious = 0};
constexpr Limits kWeaklyOrdered{.preemptions = 2, .stale_reads = 1, .spurious = 0};

// ---- Stop ----

template <std::size_t Tasks>
void SubmitAndStop() {
  ThreadPool pool(SmallConfig(2), 1);
  Runs<Tasks> runs;
  for (std::size_t i = 0; i < Tasks; ++i) {
    SubmitWithPayload(pool, [&runs, i] { runs.Note(i); });
  }
  pool.Stop();
  runs.CheckAllOnce("Stop left a task behind");
}

const ModelRegistration kStopOne{{
    .name = "fast/stop_after_one_task",
    .claim = "Stop runs what is queued and ends all workers",
    .limits = kLimits,
    .body = &SubmitAndStop<1>,
}};

const ModelRegistration kStopTwo{{
    .name = "fast/stop_after_two_tasks",
    .claim = "Stop runs what is queued and ends all workers",
    .limits = kOrdered,
    .body = &SubmitAndStop<2>,
}};

const ModelRegistration kStopTwoWeak{{
    .name = "fast/stop_after_two_tasks_weakly_ordered",
    .claim = "Stop runs what is queued and ends all workers",
    .limits = kWeaklyOrdered,
    .body = &SubmitAndStop<2>,
}};

template <SchedulerHint Hint>
void StopWhileATaskSubmits() {
  ThreadPool pool(SmallConfig(2), 1);
  Runs<2> runs;
  SubmitWithPayload(pool, [&] {
    runs.Note(0);
    SubmitWithPayload(pool, [&] { runs.Note(1); }, Hint);
  });
  pool.Stop();
  runs.CheckAllOnce("Stop left behind what a task submitted");
}

const ModelRegistration kStopLocal{{
    .name = "fast/stop_while_a_task_submits",
    .claim = "Stop runs what follows from the tasks that are queued",
    .limits = kLimits,
    .body = &StopWhileATaskSubmits<SchedulerHint::UpToYou>,
}};

const ModelRegistration kStopNext{{
    .name = "fast/stop_while_a_task_submits_next",
    .claim = "Stop runs what is in a LIFO slot",
    .limits = kLimits,
    .body = &StopWhileATaskSubmits<SchedulerHint::Next>,
}};

const ModelRegistration kStopYielded{{
    .name = "fast/stop_while_a_task_yields",
    .claim = "Stop runs what yielded",
    .limits = kOrdered,
    .body = &StopWhileATaskSubmits<SchedulerHint::Yield>,
}};

const ModelRegistration kStopYieldedWeak{{
    .name = "fast/stop_while_a_task_yields_weakly_ordered",
    .claim = "Stop runs what yielded",
    .limits = kWeaklyOrdered,
    .body = &StopWhileATaskSubmits<SchedulerHint::Yield>,
}};

const ModelRegistration kTwoOutsiders{{
    .name = "fast/two_threads_submit",
    .claim = "tasks of two outside threads are all run",
    .limits = kOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<2> runs;
          platform::Thread other("other", [&] { SubmitWithPayload(pool, [&] { runs.Note(0); }); });
          SubmitWithPayload(pool, [&] { runs.Note(1); });
          other.Join();
          pool.Stop();
          runs.CheckAllOnce("a task is lost");
        },
}};

const ModelRegistration kAlone{{
    .name = "fast/one_worker",
    .claim = "a worker that is alone and notifies no other loses nothing",
    .limits = {.preemptions = 3, .stale_reads = 2, .spurious = 1},
    .body =
        [] {
          ThreadPool pool(SmallConfig(1), 1);
          Runs<4> runs;
          SubmitWithPayload(pool, [&] {
            runs.Note(0);
            for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
              SubmitWithPayload(
                  pool, [&runs, i] { runs.Note(i); },
                  i == 1 ? SchedulerHint::Next : SchedulerHint::Yield);
            }
          });
          SubmitWithPayload(pool, [&] { runs.Note(3); });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

// ---- WaitIdle ----

const ModelRegistration kWaitIdle{{
    .name = "fast/wait_idle",
    .claim = "WaitIdle returns, and only after the task has run",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<1> runs;
          SubmitWithPayload(pool, [&] { runs.Note(0); });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before the task had run");
          pool.Stop();
        },
}};

template <SchedulerHint Hint>
void WaitIdleForChild() {
  ThreadPool pool(SmallConfig(2), 1);
  Runs<2> runs;
  SubmitWithPayload(pool, [&] {
    SubmitWithPayload(pool, [&] { runs.Note(1); }, Hint);
    runs.Note(0);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before what a task submitted had run");
  pool.Stop();
}

const ModelRegistration kWaitIdleChild{{
    .name = "fast/wait_idle_for_a_child",
    .claim = "WaitIdle waits for what tasks submit, also when it is stolen",
    .limits = kOrdered,
    .body = &WaitIdleForChild<SchedulerHint::UpToYou>,
}};

const ModelRegistration kWaitIdleChildWeak{{
    .name = "fast/wait_idle_for_a_child_weakly_ordered",
    .claim = "WaitIdle's two sums prove idleness under weak memory",
    .limits = kWeaklyOrdered,
    .body = &WaitIdleForChild<SchedulerHint::UpToYou>,
}};

const ModelRegistration kWaitIdleNext{{
    .name = "fast/wait_idle_for_a_next_child",
    .claim = "WaitIdle waits for what is in a LIFO slot",
    .limits = kOrdered,
    .body = &WaitIdleForChild<SchedulerHint::Next>,
}};

const ModelRegistration kWaitIdleNews{{
    .name = "fast/wait_idle_after_news_of_a_task",
    .claim = "WaitIdle waits for all that the caller knows of, from any submitter",
    .limits = kOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(1), 1);
          Runs<1> runs;
          platform::ThreadEvent news;
          platform::Thread other("other", [&] {
            SubmitWithPayload(pool, [&] {
              SubmitWithPayload(pool, [&] { runs.Note(0); });
              news.Set();
            });
          });
          news.Wait();
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle did not wait for a task that was submitted before the call");
          other.Join();
          pool.Stop();
        },
}};

// ---- Work conservation: as many tasks as workers, each of which continues only when all have
// begun ----

const ModelRegistration kMeet{{
    .name = "fast/two_tasks_that_wait_for_each_other",
    .claim = "no worker sleeps while a task is queued and no worker searches: external submissions",
    .limits = kOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Meeting<2> meeting;
          SubmitWithPayload(pool, [&] { meeting.Meet(0); });
          SubmitWithPayload(pool, [&] { meeting.Meet(1); });
          pool.Stop();
        },
}};

const ModelRegistration kMeetWeak{{
    .name = "fast/two_tasks_that_wait_weakly_ordered",
    .claim = "the same when a load may return an old value",
    .limits = kWeaklyOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Meeting<2> meeting;
          SubmitWithPayload(pool, [&] { meeting.Meet(0); });
          SubmitWithPayload(pool, [&] { meeting.Meet(1); });
          pool.Stop();
        },
}};

void WaitForChild() {
  ThreadPool pool(SmallConfig(2), 1);
  Meeting<2> meeting;
  SubmitWithPayload(pool, [&] {
    SubmitWithPayload(pool, [&] { meeting.Meet(1); });
    meeting.Meet(0);
  });
  pool.Stop();
}

const ModelRegistration kMeetChild{{
    .name = "fast/a_task_that_waits_for_its_child",
    .claim = "no worker sleeps while a task is in the queue of one that is busy",
    .limits = kOrdered,
    .body = &WaitForChild,
}};

const ModelRegistration kMeetChildWeak{{
    .name = "fast/a_task_that_waits_for_its_child_weakly_ordered",
    .claim = "the same when a load may return an old value",
    .limits = kWeaklyOrdered,
    .body = &WaitForChild,
}};

const ModelRegistration kMeetYielded{{
    .name = "fast/a_task_that_waits_for_one_that_yielded",
    .claim = "no worker sleeps while a task that yielded waits with one that is busy",
    .limits = kOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Meeting<2> meeting;
          SubmitWithPayload(pool, [&] {
            SubmitWithPayload(pool, [&] { meeting.Meet(1); }, SchedulerHint::Yield);
            meeting.Meet(0);
          });
          pool.Stop();
        },
}};

const ModelRegistration kMeetBatch{{
    .name = "fast/tasks_of_a_batch_that_wait_for_each_other",
    .claim = "no worker sleeps while the rest of a batch is in the queue of one that is busy",
    .limits = kOrdered,
    .body =
        [] {
          auto config = SmallConfig(2);
          config.local_queue_capacity.value = 4;  // a batch is half of it
          config.global_poll_period.value = 1000;
          ThreadPool pool(config, 1);
          Meeting<2> meeting;
          Runs<2> runs;
          SubmitWithPayload(pool, [&] { runs.Note(0); });
          SubmitWithPayload(pool, [&] { meeting.Meet(0); });
          SubmitWithPayload(pool, [&] { meeting.Meet(1); });
          SubmitWithPayload(pool, [&] { runs.Note(1); });
          pool.Stop();
          runs.CheckAllOnce("a task of a batch is lost");
        },
}};

void MeetThree() {
  ThreadPool pool(SmallConfig(3), 1);
  Meeting<3> meeting;
  SubmitWithPayload(pool, [&] {
    SubmitWithPayload(pool, [&] { meeting.Meet(2); });
    meeting.Meet(0);
  });
  SubmitWithPayload(pool, [&] { meeting.Meet(1); });
  pool.Stop();
}

const ModelRegistration kMeetThree{{
    .name = "fast/three_tasks_that_wait_for_each_other",
    .claim = "a worker that finds work wakes the next one, so that all find theirs",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = MeetThree,
}};

const ModelRegistration kMeetThreeByOtherWays{{
    .name = "fast/three_tasks_that_are_stolen_in_any_order",
    .claim = "whichever victim is tried first, all workers find their task",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 1},
    .body = MeetThree,
}};

// ---- Several waiting threads ----

template <bool Stop>
void WaitBesideAnother() {
  ThreadPool pool(SmallConfig(2), 1);
  Runs<1> runs;
  SubmitWithPayload(pool, [&runs] { runs.Note(0); });
  platform::Thread waiter("waiter", [&] {
    pool.WaitIdle();
    runs.CheckAllOnce("WaitIdle returned too early");
  });
  if (Stop) {
    pool.Stop();
  } else {
    pool.WaitIdle();
  }
  runs.CheckAllOnce("a task did not run");
  waiter.Join();
  pool.Stop();
}

const ModelRegistration kStopBesideWait{{
    .name = "fast/stop_beside_wait_idle",
    .claim = "one waits until all is idle while another stops the pool",
    .limits = kOrdered,
    .body = &WaitBesideAnother<true>,
}};

const ModelRegistration kTwoWaiters{{
    .name = "fast/two_wait_idle",
    .claim = "two wait until all is idle",
    .limits = kOrdered,
    .body = &WaitBesideAnother<false>,
}};

// ---- Queues that overflow, slots that are displaced ----

const ModelRegistration kOverflow{{
    .name = "fast/overflow",
    .claim = "tasks that do not fit into the ring go to the global queue and are run",
    .limits = kOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<3> runs;
          SubmitWithPayload(pool, [&] {
            for (std::size_t i = 0; i < 3; ++i) {
              SubmitWithPayload(pool, [&runs, i] { runs.Note(i); });
            }
          });
          pool.Stop();
          runs.CheckAllOnce("an offloaded task is lost");
        },
}};

template <schedulers::fast::LifoSteal Steal>
void MeetADisplacedTask() {
  auto config = SmallConfig(2);
  config.lifo_steal.value = Steal;
  ThreadPool pool(config, 1);
  Meeting<2> meeting;
  Runs<1> runs;
  SubmitWithPayload(pool, [&] {
    SubmitWithPayload(pool, [&] { meeting.Meet(1); }, SchedulerHint::Next);
    SubmitWithPayload(pool, [&] { runs.Note(0); }, SchedulerHint::Next);
    meeting.Meet(0);
  });
  pool.Stop();
  runs.CheckAllOnce("a task is lost");
}

// With kDelayed the watch over slots wakes a worker too, which hides a missing notification.
const ModelRegistration kDisplaced{{
    .name = "fast/displaced_from_the_slot",
    .claim = "a task that is displaced from the LIFO slot can be taken by an idle worker at once",
    .limits = kOrdered,
    .body = &MeetADisplacedTask<schedulers::fast::LifoSteal::kDelayed>,
}};

const ModelRegistration kDisplacedFromAClosedSlot{{
    .name = "fast/displaced_from_a_slot_without_thieves",
    .claim =
        "a task that is displaced from a slot that no thief may take from can be taken at once",
    .limits = kOrdered,
    .body = &MeetADisplacedTask<schedulers::fast::LifoSteal::kNever>,
}};

const ModelRegistration kDisplacedFromAnOpenSlot{{
    .name = "fast/displaced_from_a_slot_of_searchers",
    .claim = "a task that is displaced from a slot that searching workers take from can be taken "
             "at once",
    .limits = kOrdered,
    .body = &MeetADisplacedTask<schedulers::fast::LifoSteal::kSearching>,
}};

}  // namespace

}  // namespace schedbench::sim::fast_model

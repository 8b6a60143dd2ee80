// Models of the baseline: schedulers/global_fifo, with two workers.
#include "executors/submit.hpp"
#include "platform/threads/thread_event.hpp"
#include "schedulers/global_fifo/thread_pool.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::global_fifo_model {

namespace {

using schedulers::global_fifo::GlobalFifoConfig;
using schedulers::global_fifo::ThreadPool;

constexpr Limits kLimits{.preemptions = 3, .stale_reads = 1, .spurious = 1};

GlobalFifoConfig TwoWorkers() {
  GlobalFifoConfig config;
  config.workers.value = 2;
  return config;
}

const ModelRegistration kStop{{
    .name = "global_fifo/stop_while_a_task_submits",
    .claim = "Stop runs what is queued and what follows from it",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(TwoWorkers(), 1);
          Runs<2> runs;
          SubmitWithPayload(pool, [&] {
            runs.Note(0);
            SubmitWithPayload(pool, [&] { runs.Note(1); });
          });
          pool.Stop();
          runs.CheckAllOnce("Stop left a task behind");
        },
}};

const ModelRegistration kWaitIdle{{
    .name = "global_fifo/wait_idle_for_a_child",
    .claim = "WaitIdle returns, and only after what a task submitted has run",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(TwoWorkers(), 1);
          Runs<2> runs;
          SubmitWithPayload(pool, [&] {
            SubmitWithPayload(pool, [&] { runs.Note(1); });
            runs.Note(0);
          });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

const ModelRegistration kMeet{{
    .name = "global_fifo/two_tasks_that_wait_for_each_other",
    .claim = "no worker sleeps while a task is queued, also during Stop",
    .limits = kLimits,
    .body =
        [] {
          ThreadPool pool(TwoWorkers(), 1);
          Meeting<2> meeting;
          SubmitWithPayload(pool, [&] {
            SubmitWithPayload(pool, [&] { meeting.Meet(1); });
            meeting.Meet(0);
          });
          pool.Stop();
        },
}};

}  // namespace

}  // namespace schedbench::sim::global_fifo_model

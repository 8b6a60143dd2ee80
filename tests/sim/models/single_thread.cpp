// Models of schedulers/threads/single_thread.hpp: a worker that is alone, and threads outside that
// submit to it.
#include "schedulers/threads/single_thread.hpp"

#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::single_thread_model {

namespace {

using schedulers::WorkerPool;
using schedulers::threads::Order;
using schedulers::threads::SingleThread;
using schedulers::threads::SingleThreadConfig;

SingleThreadConfig Config(Order order) {
  SingleThreadConfig config;
  config.order.value = order;
  config.global_poll_period.value = 2;
  return config;
}

const ModelRegistration kTwoOutsiders{{
    .name = "single_thread/two_threads_submit",
    .claim = "tasks of two outside threads are all run, and WaitIdle and Stop return",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          WorkerPool<SingleThread> pool(Config(Order::kFifo), 1);
          Runs<2> runs;
          platform::Thread other("other", [&] { SubmitWithPayload(pool, [&] { runs.Note(0); }); });
          SubmitWithPayload(pool, [&] { runs.Note(1); });
          other.Join();
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

// What a task submits goes to the list that only the thread touches.
template <Order Which>
void SubmitFromInside() {
  WorkerPool<SingleThread> pool(Config(Which), 1);
  Runs<4> runs;
  SubmitWithPayload(pool, [&] {
    runs.Note(0);
    SubmitWithPayload(pool, [&] { runs.Note(1); });
    SubmitWithPayload(pool, [&] { runs.Note(2); }, executors::SchedulerHint::Yield);
  });
  SubmitWithPayload(pool, [&] { runs.Note(3); });
  pool.Stop();
  runs.CheckAllOnce("Stop left behind a task");
}

const ModelRegistration kFifo{{
    .name = "single_thread/stop_while_a_task_submits",
    .claim = "Stop runs what is queued and what follows from it",
    .limits = {.preemptions = 3, .stale_reads = 2, .spurious = 1},
    .body = &SubmitFromInside<Order::kFifo>,
}};

const ModelRegistration kLifo{{
    .name = "single_thread/stop_with_the_newest_first",
    .claim = "Stop runs what is queued and what follows from it",
    .limits = {.preemptions = 3, .stale_reads = 2, .spurious = 1},
    .body = &SubmitFromInside<Order::kLifo>,
}};

}  // namespace

}  // namespace schedbench::sim::single_thread_model

// Models of calls on sockets in batches: src/fibers/net/call_batch.hpp in the workers of `fast`. The
// monitor is a thread that takes the calls at any time; in the product it waits for a millisecond.
#include "fibers/net/call_batch.hpp"

#include "fibers/sched/blocking.hpp"
#include "fibers/sched/go.hpp"
#include "tests/sim/models/hand_off.hpp"
#include "tests/sim/models/network.hpp"
#include "tests/sim/models/runs.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::sim::call_batch_model {

namespace {

using fibers::CallBatch;
using schedulers::fast::FastConfig;
using schedulers::fast::ThreadPool;

FastConfig Config(std::uint32_t workers) {
  FastConfig config = hand_off_model::Config(workers);
  config.netpoll.value = schedulers::fast::Netpoll::kUring;
  return config;
}

// The running fiber writes one byte.
void Write() {
  Cell<std::size_t> written(0);
  const fibers::CallResult result = CallBatch::Make(
      {.kind = platform::SocketCall::Kind::kWrite, .fd = 0, .bytes = &written, .size = 1}, {});
  Check(result.value == 1 && written.Read() == 1, "the call was made twice or not at all");
}

// The first fiber starts the others, so that tasks wait for the worker when it makes its call.
template <std::size_t Fibers>
void StartWriters(ThreadPool& pool, Runs<Fibers>& runs) {
  fibers::Go(pool, [&pool, &runs] {
    for (std::size_t i = 1; i < Fibers; ++i) {
      fibers::Go(pool, [&runs, i] {
        Write();
        runs.Note(i);
      });
    }
    Write();
    runs.Note(0);
  });
}

template <std::uint32_t Workers>
void Writers() {
  Network network;
  ThreadPool pool(Config(Workers), 1);
  Runs<3> runs;
  StartWriters(pool, runs);
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
  pool.Stop();
}

const ModelRegistration kOneWorker{{
    .name = "call_batch/one_worker",
    .claim = "a worker makes each call once and resumes its fiber, before it parks",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &Writers<1>,
}};

const ModelRegistration kTwoWorkers{{
    .name = "call_batch/two_workers",
    .claim = "a call is made once, by its worker or an idle one, which resumes the fiber",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &Writers<2>,
}};

const ModelRegistration kTwoWorkersWeak{{
    .name = "call_batch/two_workers_weakly_ordered",
    .claim = "a call is made once, by its worker or an idle one, which resumes the fiber",
    .limits = {.preemptions = 0, .stale_reads = 1, .spurious = 0},
    .body = &Writers<2>,
}};

void MonitorMakesCalls() {
  Network network;
  ThreadPool pool(Config(1), 1);
  Runs<2> runs;
  StartWriters(pool, runs);
  platform::Thread monitor("monitor", [&] { pool.HandOffs()->MakeCallsOf(0); });
  pool.Stop();
  monitor.Join();
  runs.CheckAllOnce("Stop returned before a fiber had ended");
}

const ModelRegistration kMonitor{{
    .name = "call_batch/monitor",
    .claim = "of the worker and the monitor, one makes a call; the pool does not end before the "
             "fiber of a call that the monitor has taken",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = &MonitorMakesCalls,
}};

const ModelRegistration kMonitorWeak{{
    .name = "call_batch/monitor_weakly_ordered",
    .claim = "of the worker and the monitor, one makes a call; the pool does not end before the "
             "fiber of a call that the monitor has taken",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &MonitorMakesCalls,
}};

const ModelRegistration kMonitorDuringACall{{
    .name = "call_batch/monitor_during_a_blocking_call",
    .claim = "the pool ends after the call of a fiber and that of the monitor, in any order",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(Config(1), 1);
          Runs<1> runs;
          fibers::Go(pool, [&runs] {
            fibers::Blocking([] {});
            runs.Note(0);
          });
          platform::Thread monitor("monitor", [&] { pool.HandOffs()->MakeCallsOf(0); });
          pool.Stop();
          monitor.Join();
          runs.CheckAllOnce("Stop returned before a fiber had ended");
        },
}};

}  // namespace

}  // namespace schedbench::sim::call_batch_model

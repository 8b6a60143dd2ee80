// Models of the thread that watches the workers.
#include "executors/submit.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/blocking.hpp"
#include "fibers/sched/go.hpp"
#include "platform/threads/thread_event.hpp"
#include "schedulers/machines/call_word.hpp"
#include "schedulers/machines/sysmon.hpp"
#include "tests/sim/models/hand_off.hpp"
#include "tests/sim/models/runs.hpp"

namespace schedbench::sim::hand_off_model {

namespace {

using executors::SchedulerHint;
using platform::ThreadEvent;
using schedulers::fast::ThreadPool;

// ---- The monitor ----

// What Sysmon does when it finds the call in the middle, on a thread of its own.
void RetakeOnAThread(ThreadPool& pool) {
  platform::Thread monitor("monitor", [&] {
    const std::uint64_t call = pool.Workers()[0]->CurrentCall();
    if (schedulers::CallWord::IsCall(call)) {
      pool.HandOffs()->TryRetake(0, call);
    }
  });
}

void MonitorRetakes() {
  ThreadPool pool(Config(1), 1);
  Runs<2> runs;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { runs.Note(1); });
    fibers::Syscall([] {});
    runs.Note(0);
  });
  RetakeOnAThread(pool);
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
  pool.Stop();
}

const ModelRegistration kRetake{{
    .name = "hand_off/monitor_retakes",
    .claim = "of the end of a short call and the monitor, one has the worker; the fiber continues "
             "in both cases",
    .limits = kOrdered,
    .body = &MonitorRetakes,
}};

const ModelRegistration kRetakeWeak{{
    .name = "hand_off/monitor_retakes_weakly_ordered",
    .claim = "of the end of a short call and the monitor, one has the worker; the fiber continues "
             "in both cases",
    .limits = kWeaklyOrdered,
    .body = &MonitorRetakes,
}};

// The thread of the call is without a fiber while the worker waits for the call, or while the
// monitor takes it over.
void SuspendInAShortCall() {
  ThreadPool pool(Config(1), 1);
  Runs<1> runs;
  fibers::Go(pool, [&] {
    fibers::Syscall([] { fibers::Suspend([](fibers::FiberHandle fiber) { fiber.Schedule(); }); });
    runs.Note(0);
  });
  RetakeOnAThread(pool);
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before the fiber had ended");
  pool.Stop();
}

const ModelRegistration kSuspendInAShortCall{{
    .name = "hand_off/fiber_suspends_in_a_short_call",
    .claim = "a short call ends once when its fiber suspends, and the worker runs that fiber",
    .limits = kOrdered,
    .body = &SuspendInAShortCall,
}};

void CallWord() {
  schedulers::CallWord word;
  Cell<int> worker(0);  // what belongs to the one that has the worker
  worker.Write(1);
  const std::uint64_t call = word.Begin();
  bool retaken = false;
  platform::Thread monitor("monitor", [&] {
    const std::uint64_t seen = word.Get();
    if (schedulers::CallWord::IsCall(seen) && word.TryEnd(seen)) {
      Check(worker.Read() == 1, "the monitor does not see the worker");
      worker.Write(2);
      retaken = true;
    }
  });
  const bool kept = word.TryEnd(call);
  if (kept) {
    worker.Write(3);
  }
  monitor.Join();
  Check(kept != retaken, "both or none has the worker");
}

const ModelRegistration kCallWord{{
    .name = "hand_off/call_word",
    .claim =
        "exactly one of the thread and the monitor ends a call, and sees what the worker holds",
    .limits = {.preemptions = 9, .stale_reads = 9, .spurious = 1},
    .body = &CallWord,
}};

// ---- The monitor's sleep ----

class Looked final : public schedulers::IMonitored {
 public:
  bool Look(std::uint64_t /*now_ns*/) noexcept override {
    // relaxed: read by this thread after its sleep.
    if (busy_.Load(memory_order_relaxed) != 0) {
      seen_.Set();
    }
    return false;
  }
  bool IsIdle() const noexcept override {
    // relaxed: as AllIdle().
    return busy_.Load(memory_order_relaxed) == 0;
  }
  Atomic<std::uint32_t> busy_{0};
  ThreadEvent seen_;
};

const ModelRegistration kSysmonSleep{{
    .name = "hand_off/monitor_wakes",
    .claim = "a worker that stops being idle is looked at, also if the monitor is about to sleep",
    .limits = {.preemptions = 4, .stale_reads = 2, .spurious = 1},
    .body =
        [] {
          Looked looked;
          schedulers::Sysmon monitor(looked, "monitor");
          // relaxed: a worker's claim; Wake() has the fence.
          looked.busy_.Exchange(1, memory_order_relaxed);
          monitor.Wake();
          looked.seen_.Wait();
        },
}};

// A worker that runs for a moment while the monitor falls asleep.
class BusyOnce final : public schedulers::IMonitored {
 public:
  bool Look(std::uint64_t /*now_ns*/) noexcept override {
    return false;
  }
  bool IsIdle() const noexcept override {
    return ++looks_ != 2;
  }

 private:
  mutable int looks_ = 0;  // of the monitor
};

const ModelRegistration kSysmonEnds{{
    .name = "hand_off/monitor_ends_while_it_falls_asleep",
    .claim = "the monitor ends although it was about to sleep, and wakes itself",
    .limits = {.preemptions = 4, .stale_reads = 2, .spurious = 1},
    .body =
        [] {
          BusyOnce busy_once;
          const schedulers::Sysmon monitor(busy_once, "monitor");
        },
}};

schedulers::fast::FastConfig DelayedSlots() {
  schedulers::fast::FastConfig config = Config(2);
  config.lifo_steal.value = schedulers::fast::LifoSteal::kDelayed;
  return config;
}

// The task blocks its thread until the task in its slot has run, which only the monitor takes from
// there.
void BlockUntilTheMonitorLooks(ThreadPool& pool) {
  Runs<2> runs;
  ThreadEvent event;
  fibers::Go(pool, [&] {
    fibers::Go(pool,
               [&] {
                 runs.Note(1);
                 event.Set();
               },
               {.name = {}, .hint = SchedulerHint::Next});
    event.Wait();
    runs.Note(0);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
}

const ModelRegistration kSysmonLooks{{
    .name = "hand_off/monitor_looks",
    .claim = "the monitor looks at a worker that runs, also if the worker was about to sleep",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(DelayedSlots(), 1);
          BlockUntilTheMonitorLooks(pool);
          pool.Stop();
        },
}};

const ModelRegistration kSysmonLooksAgain{{
    .name = "hand_off/monitor_looks_again",
    .claim = "the monitor looks at a worker that has announced itself idle and then found a task",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(DelayedSlots(), 1);
          ThreadEvent began;
          executors::Submit(pool, [&began] { began.Set(); });
          began.Wait();
          ThreadEvent event;
          executors::Submit(pool, [&pool, &event] {
            executors::Submit(pool, [&event] { event.Set(); }, SchedulerHint::Next);
            event.Wait();
          });
          pool.Stop();
        },
}};

}  // namespace

}  // namespace schedbench::sim::hand_off_model

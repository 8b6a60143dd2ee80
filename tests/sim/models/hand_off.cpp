// Models of workers that change their threads: schedulers/machines/README.md.
#include "tests/sim/models/hand_off.hpp"

#include "executors/submit.hpp"
#include "fibers/fork/fork_join.hpp"
#include "fibers/sched/blocking.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/sim/models/network.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

#include <array>
#include <cstddef>

namespace schedbench::sim::hand_off_model {

namespace {

using executors::SchedulerHint;
using platform::ThreadEvent;
using schedulers::fast::ThreadPool;

// ---- One call ----

// The call waits for a fiber of the same worker.
template <std::uint32_t Workers, SchedulerHint Hint = SchedulerHint::UpToYou>
void CallWaitsForAFiber() {
  ThreadPool pool(Config(Workers), 1);
  Runs<2> runs;
  ThreadEvent event;
  fibers::Go(pool, [&] {
    fibers::Go(pool,
               [&] {
                 runs.Note(1);
                 event.Set();
               },
               {.name = {}, .hint = Hint});
    fibers::Blocking([&] { event.Wait(); });
    runs.Note(0);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
  pool.Stop();
}

const ModelRegistration kOneWorker{{
    .name = "hand_off/call_waits_for_a_fiber",
    .claim = "the worker of a blocking call runs the other fibers, and the call's fiber after it; "
             "WaitIdle returns after both",
    .limits = kOrdered,
    .body = &CallWaitsForAFiber<1>,
}};

const ModelRegistration kOneWorkerWeak{{
    .name = "hand_off/call_waits_for_a_fiber_weakly_ordered",
    .claim = "the worker of a blocking call runs the other fibers, and the call's fiber after it; "
             "WaitIdle returns after both",
    .limits = kWeaklyOrdered,
    .body = &CallWaitsForAFiber<1>,
}};

const ModelRegistration kTwoWorkers{{
    .name = "hand_off/call_waits_for_a_fiber_two_workers",
    .claim = "the same with a worker that may steal the other fiber",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &CallWaitsForAFiber<2>,
}};

const ModelRegistration kNext{{
    .name = "hand_off/call_waits_for_a_fiber_in_the_slot",
    .claim = "the worker of a blocking call runs the fiber in its LIFO slot",
    .limits = kWeaklyOrdered,
    .body = &CallWaitsForAFiber<1, SchedulerHint::Next>,
}};

// The submission meets the worker while it is handed off as idle.
void CallWaitsForASubmission() {
  ThreadPool pool(Config(1), 1);
  ThreadEvent event;
  fibers::Go(pool, [&] { fibers::Blocking([&] { event.Wait(); }); });
  SubmitWithPayload(pool, [&] { event.Set(); });
  pool.Stop();
}

const ModelRegistration kSubmission{{
    .name = "hand_off/call_waits_for_a_submission",
    .claim = "a submission reaches the worker of a blocking call, also while the thread leaves the "
             "worker",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &CallWaitsForASubmission,
}};

// The call returns while its worker is idle, parks, or is about to be claimed for the submission.
template <std::uint32_t Workers>
void CallReturnsBesideASubmission() {
  ThreadPool pool(Config(Workers), 1);
  Runs<2> runs;
  fibers::Go(pool, [&] {
    fibers::Blocking([] {});
    runs.Note(0);
  });
  SubmitWithPayload(pool, [&] { runs.Note(1); });
  pool.Stop();
  runs.CheckAllOnce("Stop returned before a call's fiber had ended");
}

const ModelRegistration kReturn{{
    .name = "hand_off/call_returns_beside_a_submission",
    .claim = "a call's fiber takes its idle worker, or reaches it by the queue; Stop waits for it",
    .limits = kOrdered,
    .body = &CallReturnsBesideASubmission<1>,
}};

const ModelRegistration kReturnWeak{{
    .name = "hand_off/call_returns_beside_a_submission_weakly_ordered",
    .claim = "a call's fiber takes its idle worker, or reaches it by the queue; Stop waits for it",
    .limits = kWeaklyOrdered,
    .body = &CallReturnsBesideASubmission<1>,
}};

const ModelRegistration kReturnTwo{{
    .name = "hand_off/call_returns_beside_a_submission_two_workers",
    .claim = "a call's fiber takes any idle worker, or reaches it by the queue; Stop waits for it",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &CallReturnsBesideASubmission<2>,
}};

// The thread takes its idle worker back, and leaves it with a fiber to run in the second call.
void CallAfterACall() {
  ThreadPool pool(Config(1), 1);
  Runs<2> runs;
  fibers::Go(pool, [&] {
    fibers::Blocking([] {});
    fibers::Go(pool, [&] { runs.Note(1); });
    fibers::Blocking([] {});
    runs.Note(0);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
  pool.Stop();
}

const ModelRegistration kCallAfterACall{{
    .name = "hand_off/call_after_a_call",
    .claim = "a worker that a returning thread has taken is left to another thread again",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &CallAfterACall,
}};

// The thread of the first call finds its worker busy, and sleeps without one until the second call
// leaves the worker.
void WorkerGoesToASleepingThread() {
  ThreadPool pool(Config(1), 1);
  Runs<1> runs;
  ThreadEvent busy;
  ThreadEvent release;
  ThreadEvent last;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] {
      busy.Set();
      release.Wait();
    });
    fibers::Blocking([&] { busy.Wait(); });
    fibers::Go(pool, [&] { last.Set(); });
    fibers::Blocking([&] { last.Wait(); });
    runs.Note(0);
  });
  platform::Thread other("other", [&] {
    busy.Wait();
    release.Set();
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before the fiber had ended");
  pool.Stop();
}

const ModelRegistration kSleepingThread{{
    .name = "hand_off/worker_goes_to_a_sleeping_thread",
    .claim = "a call leaves its worker to a thread that sleeps without one, and wakes it",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &WorkerGoesToASleepingThread,
}};

// One of the fibers forks in its call, and after it on a worker that may have another thread.
void ForkInACall() {
  ThreadPool pool(Config(1), 1);
  Runs<6> runs;
  const auto fork = [&runs](std::size_t first) {
    fibers::ForkJoin([&] { runs.Note(first); }, [&] { runs.Note(first + 1); });
  };
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { fork(0); });
    fibers::Blocking([&] { fork(2); });
    fork(4);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a forked call had been made");
  pool.Stop();
}

const ModelRegistration kForkInACall{{
    .name = "hand_off/fork_in_a_call",
    .claim = "calls that a fiber forks in a blocking call and after it are made once, beside those "
             "that its worker forks on another thread",
    .limits = kOrdered,
    .body = &ForkInACall,
}};

// ---- Waiting for the end ----

// The fiber goes through the queue, so that its next part may end before the thread of the call has
// counted the part before.
void WaitIdleBesideAReturn() {
  ThreadPool pool(Config(1), 1);
  Runs<1> runs;
  ThreadEvent busy;
  ThreadEvent release;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] {
      busy.Set();
      release.Wait();
    });
    fibers::Blocking([&] { busy.Wait(); });
    runs.Note(0);
  });
  platform::Thread other("other", [&] {
    busy.Wait();
    release.Set();
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before the fiber had ended");
  pool.Stop();
}

const ModelRegistration kWaitIdle{{
    .name = "hand_off/wait_idle_beside_a_return",
    .claim = "WaitIdle returns when the call's fiber has ended, also if the thread of the call is "
             "the last to count",
    .limits = kOrdered,
    .body = &WaitIdleBesideAReturn,
}};

// The task in the queue and the end of the call's part are counted by a thread that the waiter does
// not know.
void WaitIdleAfterAReturn() {
  ThreadPool pool(Config(1), 1);
  Runs<1> runs;
  ThreadEvent busy;
  ThreadEvent ends;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] {
      busy.Set();
      ends.Wait();
    });
    fibers::Blocking([&] {
      busy.Wait();
      ends.Set();
    });
    runs.Note(0);
  });
  ends.Wait();
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before the fiber had ended");
  pool.Stop();
}

const ModelRegistration kWaitIdleAfter{{
    .name = "hand_off/wait_idle_after_a_return",
    .claim = "WaitIdle that sees the end of a call also sees that its fiber was submitted",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body = &WaitIdleAfterAReturn,
}};

// The part of the call submits a fiber, and ends where it suspends: no submission follows it.
void WaitIdleBesideASuspensionInACall() {
  ThreadPool pool(Config(1), 1);
  Runs<2> runs;
  fibers::FiberHandle suspended;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { runs.Note(0); });
    fibers::Blocking(
        [&] { fibers::Suspend([&](fibers::FiberHandle fiber) { suspended = std::move(fiber); }); });
    runs.Note(1);
  });
  pool.WaitIdle();
  runs.CheckOnce(0, "WaitIdle returned before the submitted fiber had ended");
  suspended.Schedule();
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before the fiber of the call had ended");
  pool.Stop();
}

const ModelRegistration kWaitIdleSuspended{{
    .name = "hand_off/wait_idle_beside_a_suspension_in_a_call",
    .claim = "WaitIdle that sees the end of a call's part also sees what the part submitted",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body = &WaitIdleBesideASuspensionInACall,
}};

// The threads of both calls find the worker busy, and count the ends of their parts.
void TwoCallsReturnToTheQueue() {
  ThreadPool pool(Config(1), 1);
  Runs<2> runs;
  std::array<ThreadEvent, 2> return_now;
  ThreadEvent called;
  for (std::size_t i = 0; i < 2; ++i) {
    fibers::Go(pool, [&, i] {
      fibers::Blocking([&] {
        called.Wait();
        return_now[i].Set();
      });
      runs.Note(i);
    });
  }
  fibers::Go(pool, [&] {
    called.Set();
    return_now[0].Wait();
    return_now[1].Wait();
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber had ended");
  pool.Stop();
}

const ModelRegistration kTwoReturns{{
    .name = "hand_off/two_calls_return_to_the_queue",
    .claim =
        "the ends of two parts of fibers without a worker are counted, so that WaitIdle returns",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 0},
    .body = &TwoCallsReturnToTheQueue,
}};

// ---- Limits ----

void CallsBeyondTheLimit() {
  schedulers::fast::FastConfig config = Config(1, 2);
  config.wait_idle.value = schedulers::QuiescenceCriterion::kFibers;
  ThreadPool pool(config, 1);
  Runs<2> runs;
  for (std::size_t i = 0; i < 2; ++i) {
    fibers::Go(pool, [&runs, i] {
      fibers::Blocking([] {});
      runs.Note(i);
    });
  }
  pool.WaitIdle();
  runs.CheckAllOnce("a call that waited for another one is lost");
  pool.Stop();
}

const ModelRegistration kLimit{{
    .name = "hand_off/calls_beyond_the_limit",
    .claim = "a call that waits because of max_threads begins when another call ends",
    .limits = kOrdered,
    .body = &CallsBeyondTheLimit,
}};

// Threads end at once when they run no worker.
void ThreadsEnd() {
  schedulers::fast::FastConfig config = Config(1);
  config.idle_thread_s.value = 1;
  ThreadPool pool(config, 1);
  Runs<2> runs;
  SubmitWithPayload(pool, [&] { runs.Note(0); });
  SubmitWithPayload(pool, [&] { runs.Note(1); });
  pool.WaitIdle();
  runs.CheckAllOnce("a task was given to a thread that ended");
  pool.Stop();
}

const ModelRegistration kThreadsEnd{{
    .name = "hand_off/threads_end",
    .claim = "a worker that is to run reaches a thread that sleeps, falls asleep or ends",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 2},
    .body = &ThreadsEnd,
}};

// ---- The network ----

// The worker parks, and its thread waits for the network, while the event comes and a task is
// submitted.
void NetworkEventBesideASubmission() {
  Network network;
  schedulers::fast::FastConfig config = Config(1);
  config.netpoll.value = schedulers::fast::Netpoll::kEpoll;
  config.wait_idle.value = schedulers::QuiescenceCriterion::kFibers;
  ThreadPool pool(config, 1);
  Runs<2> runs;
  fibers::Go(pool, [&] {
    network.Wait();
    runs.Note(0);
  });
  platform::Thread peer("peer", [&] { network.MakeReady(); });
  SubmitWithPayload(pool, [&] { runs.Note(1); });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a fiber or task had ended");
  peer.Join();
  pool.Stop();
}

const ModelRegistration kNetwork{{
    .name = "hand_off/network_event_beside_a_submission",
    .claim = "a fiber that the network makes ready runs, and so does a task that is submitted "
             "meanwhile; the thread that "
             "waits for the network serves both",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body = &NetworkEventBesideASubmission,
}};

}  // namespace

}  // namespace schedbench::sim::hand_off_model

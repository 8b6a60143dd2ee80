// Models of deadlines: the timer service, its race with another thread that resumes a fiber, and
// events. Two fibers or a fiber and a thread, and the service's thread. The clock ticks when it is
// read, so that a deadline three ticks ahead passes while others are at work.
#include "simulation/stand_ins/timers.hpp"

#include "base/spin_wait.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/semaphore.hpp"
#include "fibers/sync/wait_group.hpp"
#include "fibers/time/timer_queue.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::timers_model {

namespace {

using fibers::Deadline;
using fibers::Event;
using fibers::Go;
using fibers::Semaphore;
using fibers::SleepFor;
using fibers::TimerQueue;
using fibers::WaitGroup;

constexpr std::chrono::nanoseconds kSoon(3);
constexpr std::chrono::nanoseconds kLong = std::chrono::hours(1000);
constexpr Limits kLimits{.preemptions = 3, .stale_reads = 0, .spurious = 1};

const ModelRegistration kSleepers{{
    .name = "timers/two_sleepers",
    .claim =
        "every sleeper continues, after its time, also if another comes while the service falls "
        "asleep",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Timers timers;
          WaitGroup done;
          done.Add(2);
          SmallPool pool(1);
          for (int i = 0; i < 2; ++i) {
            Go(pool, [&done] {
              const std::uint64_t begin = platform::NowNs();
              SleepFor(kSoon);
              Check(platform::NowNs() >= begin + kSoon.count(), "woken too early");
              done.Done();
            });
          }
          done.Wait();
        },
}};

const ModelRegistration kCancelled{{
    .name = "timers/cancelled_while_it_fires",
    .claim = "a permit or the deadline resumes the fiber, once, and the permit is not lost",
    .limits = kLimits,
    .body =
        [] {
          Timers timers;
          Semaphore semaphore(0);
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [&] {
            const bool acquired = semaphore.AcquireFor(kSoon);
            if (!acquired) {
              semaphore.Acquire();
            }
            done.Done();
          });
          semaphore.Release();
          done.Wait();
          Check(!semaphore.TryAcquire(), "a permit too many");
        },
}};

// Two fibers whose time runs out, in any order, before one that waits behind them gets the permit.
template <int First, int Second>
void TwoLeaveBeforeAThird() {
  Timers timers;
  Semaphore semaphore(0);
  WaitGroup left;
  WaitGroup done;
  left.Add(2);
  done.Add(1);
  SmallPool pool(1);
  for (const int time : {First, Second}) {
    Go(pool, [&semaphore, &left, time] {
      Check(!semaphore.AcquireFor(std::chrono::nanoseconds(time)), "a permit out of nothing");
      left.Done();
    });
  }
  Go(pool, [&] {
    semaphore.Acquire();
    done.Done();
  });
  left.Wait();
  semaphore.Release();
  done.Wait();
  Check(!semaphore.TryAcquire(), "a permit too many");
}

constexpr Limits kThree{.preemptions = 1, .stale_reads = 0, .spurious = 1};

const ModelRegistration kOlderLeaves{{
    .name = "timers/older_waiter_leaves_first",
    .claim = "fibers whose time runs out leave the list, and the one behind them stays in it",
    .limits = kThree,
    .body = &TwoLeaveBeforeAThird<3, 50>,
}};

const ModelRegistration kNewerLeaves{{
    .name = "timers/newer_waiter_leaves_first",
    .claim = "fibers whose time runs out leave the list, and the one behind them stays in it",
    .limits = kThree,
    .body = &TwoLeaveBeforeAThird<50, 3>,
}};

const ModelRegistration kLeavesBehindServed{{
    .name = "timers/waiter_leaves_behind_a_served_one",
    .claim = "a fiber whose time runs out leaves the list of which it is the front by now",
    .limits = kThree,
    .body =
        [] {
          Timers timers;
          Semaphore semaphore(0);
          WaitGroup left;
          WaitGroup done;
          left.Add(2);
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [&] {
            semaphore.Acquire();
            left.Done();
          });
          Go(pool, [&] {
            Check(!semaphore.AcquireFor(kSoon), "a permit out of nothing");
            left.Done();
          });
          Go(pool, [&] {
            semaphore.Acquire();
            done.Done();
          });
          semaphore.Release();
          left.Wait();
          semaphore.Release();
          done.Wait();
        },
}};

const ModelRegistration kDestroyed{{
    .name = "timers/destroyed_by_the_waiter_that_acquired",
    .claim = "neither Release nor the service touches a semaphore whose waiter has continued",
    .limits = kLimits,
    .body =
        [] {
          Timers timers;
          auto* const semaphore = new Semaphore(0);
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [semaphore, &done] {
            if (!semaphore->AcquireFor(kSoon)) {
              semaphore->Acquire();
            }
            delete semaphore;
            done.Done();
          });
          semaphore->Release();
          done.Wait();
        },
}};

const ModelRegistration kEvent{{
    .name = "timers/event_fires_at_the_deadline",
    .claim = "a waiter learns that the event has fired and sees what was written before, or leaves",
    .limits = kLimits,
    .body =
        [] {
          Timers timers;
          auto* const event = new Event;
          Cell<int> value(0);
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [event, &value, &done] {
            if (!event->WaitFor(kSoon)) {
              event->Wait();
            }
            Check(value.Read() == 1, "what was written before Fire is not seen");
            delete event;
            done.Done();
          });
          value.Write(1);
          event->Fire();
          done.Wait();
        },
}};

const ModelRegistration kEventList{{
    .name = "timers/event_with_other_waiters",
    .claim = "a waiter that leaves an event's list takes no other out of it, and none in",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Event event;
          WaitGroup done;
          done.Add(2);
          SmallPool pool(1);
          Go(pool, [&] {
            event.WaitFor(kSoon);
            done.Done();
          });
          Go(pool, [&] {
            event.Wait();
            done.Done();
          });
          event.Fire();
          done.Wait();
        },
}};

// The oldest leaves first, then the third, then the second; the newest stays.
const ModelRegistration kEventLeavers{{
    .name = "timers/event_with_three_that_leave",
    .claim = "waiters that leave an event's list in any order leave the others in it",
    .limits = {.preemptions = 1, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Event event;
          WaitGroup left;
          WaitGroup done;
          left.Add(3);
          done.Add(1);
          SmallPool pool(1);
          for (const int time : {3, 50, 20}) {
            Go(pool, [&event, &left, time] {
              event.WaitFor(std::chrono::nanoseconds(time));
              left.Done();
            });
          }
          Go(pool, [&] {
            event.Wait();
            done.Done();
          });
          left.Wait();
          event.Fire();
          done.Wait();
        },
}};

const ModelRegistration kEventThread{{
    .name = "timers/thread_waits_for_an_event",
    .claim = "a thread whose time runs out when the event fires sees both, and may free the event",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 2},
    .body =
        [] {
          auto* const event = new Event;
          Cell<int> value(0);
          platform::Thread firer("firer", [&] {
            value.Write(1);
            event->Fire();
          });
          if (!event->WaitUntil(Deadline::In(std::chrono::hours(1)))) {
            event->Wait();
          }
          Check(value.Read() == 1, "what was written before Fire is not seen");
          firer.Join();
          delete event;
        },
}};

// The timers of a worker of `pool`, a pool with one thread: of the fibers that call Enter(). Ends
// before the pool.
class WorkerTimers {
 public:
  explicit WorkerTimers(executors::IExecutor& pool)
      : group_(pool),
        queue_(group_) {
  }

  void Enter() noexcept {
    TimerQueue::SetCurrent(&queue_);
  }

  TimerQueue& Queue() noexcept {
    return queue_;
  }

 private:
  fibers::TimerGroup group_;
  TimerQueue queue_;
};

const ModelRegistration kWorkersQueue{{
    .name = "timers/worker_starts_a_timer_while_the_thread_falls_asleep",
    .claim = "the thread of the service runs the timers of a worker that does not, in time",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Timers timers;
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          WorkerTimers worker(pool);
          Go(pool, [&] {
            worker.Enter();
            SleepFor(kSoon);
            done.Done();
          });
          done.Wait();
        },
}};

const ModelRegistration kWorkerParks{{
    .name = "timers/worker_parks_while_the_thread_falls_asleep",
    .claim = "the thread leaves timers to a worker for a while, but not when the worker has parked",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Timers timers;
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          WorkerTimers worker(pool);
          Go(pool, [&] {
            worker.Enter();
            // For so long that the thread would sleep without a limit.
            worker.Queue().SetAwake(static_cast<std::uint64_t>(kLong.count()));
            Go(pool, [&worker] { worker.Queue().SetAsleep(); });
            SleepFor(kSoon);
            done.Done();
          });
          done.Wait();
        },
}};

const ModelRegistration kStolen{{
    .name = "timers/stolen_while_it_is_cancelled",
    .claim = "a permit, a thief or the thread resumes the fiber, once, and the permit is not lost",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Semaphore semaphore(0);
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          WorkerTimers worker(pool);
          Go(pool, [&] {
            worker.Enter();
            worker.Queue().SetAwake(platform::NowNs());
            const bool acquired = semaphore.AcquireFor(kSoon);
            if (!acquired) {
              semaphore.Acquire();
            }
            done.Done();
          });
          worker.Queue().RunDue(platform::NowNs());
          semaphore.Release();
          done.Wait();
          Check(!semaphore.TryAcquire(), "a permit too many");
        },
}};

const ModelRegistration kTwoThieves{{
    .name = "timers/worker_whose_timers_two_threads_run",
    .claim = "each timer is taken once, and the queue ends after the threads that took timers have "
             "resumed their fibers",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          Timers timers;
          WaitGroup done;
          done.Add(2);
          SmallPool pool(1);
          WorkerTimers worker(pool);
          TimerQueue& queue = worker.Queue();
          // The thread of the service leaves the timers to others.
          queue.SetAwake(static_cast<std::uint64_t>(kLong.count()));
          for (const std::chrono::nanoseconds time : {kLong, kLong / 4}) {
            Go(pool, [&worker, &done, time] {
              worker.Enter();
              SleepFor(time);
              done.Done();
            });
          }
          const auto run_until = [&queue](std::uint64_t now_ns) {
            for (SpinWait spin; queue.EarliestNs() <= now_ns; spin.Spin()) {
              queue.RunDue(now_ns);
            }
          };
          constexpr auto kBeforeLong = static_cast<std::uint64_t>(kLong.count()) / 2;
          for (SpinWait spin; queue.EarliestNs() > kBeforeLong;) {
            spin.Spin();
          }
          platform::Thread thief("thief", [&run_until] { run_until(TimerQueue::kNever - 1); });
          run_until(kBeforeLong);
          done.Wait();
          thief.Join();
        },
}};

}  // namespace

}  // namespace schedbench::sim::timers_model

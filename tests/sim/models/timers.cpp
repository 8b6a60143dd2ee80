// Models of deadlines: the timer service, its race with another thread that resumes a fiber, and events. Two fibers or a fiber and a
// thread, and the service's thread. The clock ticks when it is read, so that a deadline three ticks ahead passes while
// others are at work.
#include "tests/sim/abstract/timers.hpp"

#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/semaphore.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::timers_model {

namespace {

using fibers::Deadline;
using fibers::Event;
using fibers::Go;
using fibers::Semaphore;
using fibers::SleepFor;
using fibers::WaitGroup;

constexpr std::chrono::nanoseconds kSoon(3);
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

}  // namespace

}  // namespace schedbench::sim::timers_model

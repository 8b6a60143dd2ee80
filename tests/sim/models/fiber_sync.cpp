// Models of what fibers share: src/fibers/sync, on two threads.
#include "fibers/sched/go.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/spin_lock.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::fiber_sync_model {

namespace {

using fibers::Event;
using fibers::Go;
using fibers::Mutex;
using fibers::MutexLock;
using fibers::SpinLock;
using fibers::WaitGroup;

// ---- Mutex ----

template <int Fibers, int Times, std::uint32_t Overtakings = Mutex::kMaxOvertakes>
void Exclusion() {
  Mutex mutex(Overtakings);
  Cell<int> count(0);
  WaitGroup done;
  SmallPool pool(2);
  done.Add(Fibers);
  for (int i = 0; i < Fibers; ++i) {
    Go(pool, [&] {
      for (int time = 0; time < Times; ++time) {
        const MutexLock lock(mutex);
        count.Write(count.Read() + 1);
      }
      done.Done();
    });
  }
  done.Wait();
  Check(count.Read() == Fibers * Times, "an update is lost");
}

const ModelRegistration kMutexTwo{{
    .name = "fiber_mutex/two_fibers",
    .claim = "one fiber at a time holds the mutex and sees what the last one wrote",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body = &Exclusion<2, 2>,
}};

const ModelRegistration kMutexThree{{
    .name = "fiber_mutex/three_fibers",
    .claim = "fibers that wait are woken one after the other, none is lost",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body = &Exclusion<3, 1>,
}};

const ModelRegistration kMutexInOrder{{
    .name = "fiber_mutex/no_overtaking",
    .claim = "fibers that wait are served from a batch, none is lost",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body = &Exclusion<3, 1, 1>,
}};

const ModelRegistration kMutexQueue{{
    .name = "fiber_mutex/later_waiters",
    .claim = "a fiber that comes while others are in the queue gets the mutex after them",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          Mutex mutex(1);
          Cell<int> count(0);
          mutex.TryLock();
          SmallPool pool(2);
          for (int i = 0; i < 3; ++i) {
            Go(pool, [&] {
              const MutexLock lock(mutex);
              count.Write(count.Read() + 1);
            });
          }
          mutex.Unlock();
        },
}};

const ModelRegistration kMutexOvertaken{{
    .name = "fiber_mutex/overtaken",
    .claim = "a fiber that takes the mutex before the woken one finds all that the last owner left",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Mutex mutex(2);
          Cell<int> count(0);
          mutex.TryLock();
          SmallPool pool(2);
          Go(pool, [&] {
            const MutexLock lock(mutex);
            count.Write(count.Read() + 1);
          });
          Go(pool, [&] {
            if (mutex.TryLock()) {
              count.Write(count.Read() + 1);
              mutex.Unlock();
            }
          });
          mutex.Unlock();
        },
}};

const ModelRegistration kMutexReserved{{
    .name = "fiber_mutex/reserved",
    .claim = "a woken fiber gets the mutex that is reserved for it, and may destroy it",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          struct Shared {
            Mutex mutex{2};
            Cell<int> sections{4};
          };
          auto* shared = new Shared;
          SmallPool pool(2);
          for (const int times : {3, 1}) {
            Go(pool, [shared, times] {
              bool last = false;
              for (int time = 0; time < times; ++time) {
                shared->mutex.Lock();
                const int left = shared->sections.Read() - 1;
                shared->sections.Write(left);
                last = left == 0;
                shared->mutex.Unlock();
              }
              if (last) {
                delete shared;
              }
            });
          }
        },
}};

const ModelRegistration kMutexDestroyed{{
    .name = "fiber_mutex/destroyed_by_the_next_owner",
    .claim = "Unlock touches the mutex for the last time when it hands it over",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          struct Shared {
            Mutex mutex;
            int users = 2;
          };
          auto* shared = new Shared;
          SmallPool pool(2);
          for (int i = 0; i < 2; ++i) {
            Go(pool, [shared] {
              shared->mutex.Lock();
              const bool last = --shared->users == 0;
              shared->mutex.Unlock();
              if (last) {
                delete shared;
              }
            });
          }
        },
}};

const ModelRegistration kTryLock{{
    .name = "fiber_mutex/try_lock",
    .claim = "TryLock takes a free mutex only, and Unlock wakes a fiber that came meanwhile",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Mutex mutex;
          Cell<int> count(0);
          WaitGroup done;
          SmallPool pool(2);
          done.Add(2);
          Go(pool, [&] {
            if (mutex.TryLock()) {
              count.Write(count.Read() + 1);
              mutex.Unlock();
            }
            done.Done();
          });
          Go(pool, [&] {
            const MutexLock lock(mutex);
            count.Write(count.Read() + 1);
            done.Done();
          });
          done.Wait();
        },
}};

const ModelRegistration kSpinLock{{
    .name = "spin_lock/two_threads",
    .claim = "one at a time holds the lock and sees what the last one wrote",
    .limits = {.preemptions = 4},
    .body =
        [] {
          SpinLock lock;
          Cell<int> count(0);
          const auto add = [&] {
            for (int i = 0; i < 2; ++i) {
              lock.Lock();
              count.Write(count.Read() + 1);
              lock.Unlock();
            }
          };
          platform::Thread other("other", add);
          add();
          other.Join();
          Check(count.Read() == 4, "an update is lost");
        },
}};

// ---- Event, WaitGroup ----

const ModelRegistration kEvent{{
    .name = "event/fiber_and_thread_wait",
    .claim =
        "a waiting fiber continues after Fire, sees what was written before it, and none is lost",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Event event;
          Cell<int> value(0);
          SmallPool pool(1);
          Go(pool, [&] {
            event.Wait();
            Check(value.Read() == 1, "what was written before Fire is not seen");
          });
          platform::Thread firer("firer", [&] {
            value.Write(1);
            event.Fire();
            event.Fire();
          });
          event.Wait();
          Check(value.Read() == 1, "what was written before Fire is not seen");
          firer.Join();
        },
}};

const ModelRegistration kEventTwoFibers{{
    .name = "event/two_fibers_wait",
    .claim = "all fibers that wait continue",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Event event;
          Cell<int> value(0);
          SmallPool pool(2);
          for (int i = 0; i < 2; ++i) {
            Go(pool, [&] {
              event.Wait();
              Check(value.Read() == 1, "what was written before Fire is not seen");
            });
          }
          value.Write(1);
          event.Fire();
        },
}};

const ModelRegistration kEventDestroyed{{
    .name = "event/destroyed_by_the_waiter",
    .claim = "Fire touches the event for the last time before a waiter can continue",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          auto* event = new Event;
          SmallPool pool(1);
          Go(pool, [event] {
            event->Wait();
            delete event;
          });
          event->Fire();
        },
}};

const ModelRegistration kWaitGroup{{
    .name = "wait_group/two_done",
    .claim =
        "Wait returns after all Done and sees what was written before each; then the group may go",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Cell<int> first(0);
          Cell<int> second(0);
          auto* group = new WaitGroup;
          SmallPool pool(2);
          group->Add(2);
          Go(pool, [&, group] {
            first.Write(1);
            group->Done();
          });
          Go(pool, [&, group] {
            second.Write(1);
            group->Done();
          });
          group->Wait();
          Check(first.Read() == 1 && second.Read() == 1, "Wait returned too early");
          delete group;
        },
}};

const ModelRegistration kWaitGroupAdd{{
    .name = "wait_group/two_threads_add",
    .claim = "what several add is all waited for",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Cell<int> first(0);
          Cell<int> second(0);
          WaitGroup group;
          group.Add(2);
          const auto work = [&group](Cell<int>& done) {
            group.Add(1);
            group.Done();
            done.Write(1);
            group.Done();
          };
          platform::Thread one("one", [&] { work(first); });
          platform::Thread two("two", [&] { work(second); });
          group.Wait();
          Check(first.Read() == 1 && second.Read() == 1, "Wait returned too early");
        },
}};

const ModelRegistration kWaitGroupFiber{{
    .name = "wait_group/a_fiber_waits_in_two_rounds",
    .claim = "a group serves again after a Wait that followed the last round",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          SmallPool pool(2);
          Go(pool, [&pool] {
            WaitGroup group;
            Cell<int> value(0);
            for (int round = 1; round <= 2; ++round) {
              group.Add(1);
              Go(pool, [&] {
                value.Write(value.Read() + 1);
                group.Done();
              });
              group.Wait();
              Check(value.Read() == round, "Wait returned too early");
            }
          });
        },
}};

}  // namespace

}  // namespace schedbench::sim::fiber_sync_model

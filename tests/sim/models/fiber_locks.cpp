// Models of CondVar, Semaphore, RwLock and Spawn, on two threads.
#include "fibers/sched/spawn.hpp"
#include "fibers/sync/cond_var.hpp"
#include "fibers/sync/rw_lock.hpp"
#include "fibers/sync/semaphore.hpp"
#include "fibers/sync/wait_group.hpp"
#include "simulation/stand_ins/timers.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <memory>

namespace schedbench::sim::fiber_locks_model {

namespace {

using fibers::CondVar;
using fibers::ExclusiveLock;
using fibers::Go;
using fibers::Mutex;
using fibers::MutexLock;
using fibers::RwLock;
using fibers::Semaphore;
using fibers::SharedLock;
using fibers::Spawn;
using fibers::WaitGroup;

constexpr Limits kLimits{.preemptions = 3, .stale_reads = 0, .spurious = 0};

const ModelRegistration kNotified{{
    .name = "cond_var/one_notification",
    .claim =
        "a fiber that waits for a condition sees it come true, without a notification too many",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Mutex mutex;
          CondVar changed;
          Cell<int> value(0);
          SmallPool pool(2);
          Go(pool, [&] {
            const MutexLock lock(mutex);
            changed.Wait(mutex, [&] { return value.Read() == 1; });
          });
          Go(pool, [&] {
            {
              const MutexLock lock(mutex);
              value.Write(1);
            }
            changed.NotifyOne();
          });
        },
}};

const ModelRegistration kAll{{
    .name = "cond_var/all_are_notified",
    .claim = "all waiting fibers continue one at a time as owners of the mutex",
    .limits = kLimits,
    .body =
        [] {
          Mutex mutex;
          CondVar changed;
          Cell<int> open(0);
          Cell<int> through(0);
          SmallPool pool(2);
          for (int i = 0; i < 2; ++i) {
            Go(pool, [&] {
              const MutexLock lock(mutex);
              while (open.Read() == 0) {
                changed.Wait(mutex);
              }
              through.Write(through.Read() + 1);
            });
          }
          Go(pool, [&] {
            const MutexLock lock(mutex);
            open.Write(1);
            changed.NotifyAll();
          });
        },
}};

const ModelRegistration kFreed{{
    .name = "cond_var/freed_by_the_notified_fiber",
    .claim = "NotifyOne touches neither the CondVar nor the mutex once the fiber can continue",
    .limits = kLimits,
    .body =
        [] {
          struct Shared {
            Mutex mutex;
            CondVar changed;
            Semaphore about_to_wait{0};
          };
          auto* const shared = new Shared;
          SmallPool pool(2);
          Go(pool, [shared] {
            shared->mutex.Lock();
            shared->about_to_wait.Release();
            shared->changed.Wait(shared->mutex);
            shared->mutex.Unlock();
            delete shared;
          });
          Go(pool, [shared] {
            shared->about_to_wait.Acquire();
            shared->mutex.Lock();
            shared->mutex.Unlock();
            shared->changed.NotifyOne();
          });
        },
}};

const ModelRegistration kDeadline{{
    .name = "cond_var/notification_or_deadline",
    .claim =
        "a waiter owns the mutex after a notification and after its time, and is in no list then",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Mutex mutex;
          CondVar changed;
          Cell<int> value(0);
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [&] {
            {
              const MutexLock lock(mutex);
              changed.WaitFor(mutex, std::chrono::nanoseconds(3));
              value.Write(value.Read() + 1);
            }
            done.Done();
          });
          changed.NotifyOne();
          if (mutex.TryLock()) {
            value.Write(value.Read() + 1);
            mutex.Unlock();
          }
          done.Wait();
          changed.NotifyAll();
        },
}};

const ModelRegistration kSemaphore{{
    .name = "semaphore/two_permits_of_three",
    .claim = "as many go in as there are permits, waiting fibers get those that are released",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Semaphore semaphore(1);
          Cell<int> inside(0);
          SmallPool pool(2);
          for (int i = 0; i < 2; ++i) {
            Go(pool, [&] {
              semaphore.Acquire();
              inside.Write(inside.Read() + 1);
              semaphore.Release();
            });
          }
        },
}};

const ModelRegistration kSemaphoreFreed{{
    .name = "semaphore/freed_by_the_served_fiber",
    .claim = "Release touches the semaphore for the last time before it resumes a fiber",
    .limits = kLimits,
    .body =
        [] {
          auto* const semaphore = new Semaphore(0);
          SmallPool pool(2);
          Go(pool, [semaphore] {
            semaphore->Acquire();
            semaphore->Acquire();
            delete semaphore;
          });
          Go(pool, [semaphore] { semaphore->Release(2); });
        },
}};

const ModelRegistration kRwLock{{
    .name = "rw_lock/writers_and_readers",
    .claim = "a writer is alone, readers see what it wrote, and none waits forever",
    .limits = kLimits,
    .body =
        [] {
          RwLock lock;
          Cell<int> value(0);
          SmallPool pool(2);
          Go(pool, [&] {
            const ExclusiveLock held(lock);
            value.Write(value.Read() + 1);
          });
          Go(pool, [&] {
            const SharedLock held(lock);
            value.Read();
          });
          Go(pool, [&] {
            const ExclusiveLock held(lock);
            value.Write(value.Read() + 1);
          });
        },
}};

const ModelRegistration kRwLockReaders{{
    .name = "rw_lock/two_readers",
    .claim = "readers that waited for a writer go in together and see what it wrote",
    .limits = kLimits,
    .body =
        [] {
          RwLock lock;
          Cell<int> value(0);
          WaitGroup both;
          both.Add(2);
          lock.TryLock();
          SmallPool pool(2);
          for (int i = 0; i < 2; ++i) {
            Go(pool, [&] {
              const SharedLock held(lock);
              Check(value.Read() == 1, "what the writer wrote is not seen");
              both.Done();
              both.Wait();
            });
          }
          value.Write(1);
          lock.Unlock();
        },
}};

const ModelRegistration kRwLockFreed{{
    .name = "rw_lock/freed_by_the_served_fiber",
    .claim = "Unlock touches the lock for the last time before it resumes a fiber",
    .limits = kLimits,
    .body =
        [] {
          auto* const lock = new RwLock;
          lock->TryLock();
          SmallPool pool(1);
          Go(pool, [lock] {
            lock->LockShared();
            lock->UnlockShared();
            delete lock;
          });
          lock->Unlock();
        },
}};

const ModelRegistration kRwLockBatches{{
    .name = "rw_lock/two_batches_of_readers",
    .claim = "a reader that waits again goes in again, and the lock is free when all have left",
    .limits = kLimits,
    .body =
        [] {
          RwLock lock;
          Cell<int> value(0);
          lock.TryLock();
          SmallPool pool(1);
          Go(pool, [&] {
            for (int i = 0; i < 2; ++i) {
              const SharedLock held(lock);
              value.Read();
            }
          });
          Go(pool, [&] {
            const ExclusiveLock held(lock);
            value.Write(value.Read() + 1);
          });
          lock.Unlock();
          pool.Finish();
          Check(lock.TryLock(), "a reader or writer that has left is counted");
        },
}};

const ModelRegistration kJoin{{
    .name = "spawn/join",
    .claim = "Join returns what the fiber returned and sees what it wrote",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Cell<int> written(0);
          SmallPool pool(1);
          auto handle = Spawn(pool, [&] {
            written.Write(1);
            return 2;
          });
          Check(handle.Join() == 2 && written.Read() == 1, "not what the fiber did");
        },
}};

const ModelRegistration kHandleGone{{
    .name = "spawn/destroyed_handle",
    .claim = "a handle that is destroyed waits for its fiber and frees what they share",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Cell<int> written(0);
          SmallPool pool(1);
          {
            const auto handle = Spawn(pool, [&] { written.Write(1); });
          }
          Check(written.Read() == 1, "the fiber has not ended");
        },
}};

const ModelRegistration kDetach{{
    .name = "spawn/detach",
    .claim = "the last of the handle and the fiber frees what they share",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          SmallPool pool(1);
          Spawn(pool, [] { return 2; }).Detach();
        },
}};

}  // namespace

}  // namespace schedbench::sim::fiber_locks_model

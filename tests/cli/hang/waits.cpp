// Workloads that hang in each thing that fibers wait for and tool.cpp has not: selects, conditions,
// semaphores, locks that are shared, ends of others, times.
#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sync/cond_var.hpp"
#include "fibers/sync/rw_lock.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/semaphore.hpp"
#include "platform/time/clock.hpp"
#include "tests/cli/hang/hanging.hpp"

namespace schedbench::tests {

namespace {

using namespace fibers;
using registry::IScheduler;

void NeverSelected(IScheduler& scheduler) {
  auto& xs = *new Channel<int>(0);
  auto& ys = *new Channel<int>(0);
  Go(scheduler,
     [&] {
       ReceiveCase from_xs(xs);
       SendCase to_ys(ys, 1);
       Select(from_xs, to_ys);
     },
     {.name = "chooser"});
}

void NeverNotified(IScheduler& scheduler) {
  auto& mutex = *new Mutex;
  auto& changed = *new CondVar;
  Go(scheduler,
     [&] {
       const MutexLock lock(mutex);
       changed.Wait(mutex);
     },
     {.name = "waiter"});
}

// Notified, and yet it waits: for the mutex, whose owner waits forever.
void NotifiedWithoutTheMutex(IScheduler& scheduler) {
  auto& mutex = *new Mutex;
  auto& changed = *new CondVar;
  auto& waits = *new Event;
  Go(scheduler,
     [&] {
       const MutexLock lock(mutex);
       waits.Fire();
       changed.Wait(mutex);
     },
     {.name = "waiter"});
  Go(scheduler,
     [&] {
       waits.Wait();
       const MutexLock lock(mutex);
       changed.NotifyOne();
       (new Event)->Wait();
     },
     {.name = "holder"});
}

void NeverReleased(IScheduler& scheduler) {
  auto& semaphore = *new Semaphore(1);
  Go(scheduler,
     [&] {
       semaphore.Acquire();
       semaphore.Acquire();
     },
     {.name = "greedy"});
}

// Shares the lock and wants it for itself.
void Upgrade(IScheduler& scheduler) {
  auto& lock = *new RwLock;
  Go(scheduler,
     [&] {
       const SharedLock shared(lock);
       lock.Lock();
     },
     {.name = "upgrader"});
}

// A writer waits for the end of a fiber that waits to read.
void JoinsAReader(IScheduler& scheduler) {
  auto& lock = *new RwLock;
  Go(scheduler,
     [&] {
       const ExclusiveLock exclusive(lock);
       Spawn([&] { const SharedLock shared(lock); }, {.name = "reader"}).Join();
     },
     {.name = "writer"});
}

void SleepsTooLong(IScheduler& scheduler) {
  Go(scheduler, [] { SleepFor(std::chrono::hours(1)); }, {.name = "sleeper"});
}

// Not a fiber: the thread that runs the round.
void ThreadSleepsTooLong(IScheduler& /*scheduler*/) {
  platform::SleepUntilNs(platform::NowNs() + 1'000'000'000'000);
}

const Register<&AndWait<&NeverSelected>> kSelect{"never_selected"};
const Register<&AndWait<&NeverNotified>> kNotify{"never_notified"};
const Register<&AndWait<&NotifiedWithoutTheMutex>> kNotified{"notified_without_the_mutex"};
const Register<&AndWait<&NeverReleased>> kRelease{"never_released"};
const Register<&AndWait<&Upgrade>> kUpgrade{"upgrade"};
const Register<&AndWait<&JoinsAReader>> kJoin{"joins_a_reader"};
const Register<&AndWait<&SleepsTooLong>> kSleep{"sleeps_too_long"};
const Register<&ThreadSleepsTooLong> kThreadSleeps{"thread_sleeps_too_long"};

}  // namespace

}  // namespace schedbench::tests

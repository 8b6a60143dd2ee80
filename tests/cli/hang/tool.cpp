// A program of a user whose workloads hang in their second round, each in its own way, with
// schedulers that err (erring_schedulers.cpp) and main() of the tool.
#include "config/schema_of.hpp"
#include "executors/manual_executor.hpp"
#include "executors/submit.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"
#include "tests/cli/hang/hanging.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace schedbench::tests {

namespace {

using executors::ManualExecutor;
using fibers::Channel;
using fibers::Event;
using fibers::Go;
using fibers::Mutex;
using fibers::WaitGroup;
using registry::IScheduler;

// Each is called by a thread that is no fiber, and returns when the hang is under way or hangs
// itself. What they share with their fibers is never freed.

// `count` fibers, each of which takes its own mutex and then that of the next.
void Circle(IScheduler& scheduler, const std::vector<std::string>& names) {
  struct Shared {
    explicit Shared(std::size_t count)
        : mutexes(count) {
      have_first.Add(count);
    }
    std::vector<Mutex> mutexes;
    WaitGroup have_first;
  };
  auto& shared = *new Shared(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    Go(scheduler,
       [&shared, i] {
         shared.mutexes[i].Lock();
         shared.have_first.Done();
         shared.have_first.Wait();
         shared.mutexes[(i + 1) % shared.mutexes.size()].Lock();
       },
       {.name = names[i]});
  }
}

void TwoMutexes(IScheduler& scheduler) {
  Circle(scheduler, {"a", "b"});
}

void ThreeMutexes(IScheduler& scheduler) {
  Circle(scheduler, {"a", "b", "c"});
}

void Philosophers(IScheduler& scheduler) {
  Circle(scheduler, {"Plato", "Kant", "Hume", "Mill", "Marx"});
}

void TwoCircles(IScheduler& scheduler) {
  Circle(scheduler, {"a", "b"});
  Circle(scheduler, {"c", "d", "e"});
}

void SelfLock(IScheduler& scheduler) {
  auto& mutex = *new Mutex;
  Go(scheduler,
     [&mutex] {
       mutex.Lock();
       mutex.Lock();
     },
     {.name = "greedy"});
}

void NeverSent(IScheduler& scheduler) {
  auto& channel = *new Channel<int>(4);
  Go(scheduler, [&channel] { channel.Receive(); }, {.name = "receiver"});
}

void NeverReceived(IScheduler& scheduler) {
  auto& channel = *new Channel<int>(2);
  Go(scheduler,
     [&channel] {
       for (int i = 0; i < 3; ++i) {
         channel.Send(i);
       }
     },
     {.name = "sender"});
}

void NeverMet(IScheduler& scheduler) {
  auto& channel = *new Channel<int>(0);
  Go(scheduler, [&channel] { channel.Send(1); }, {.name = "sender"});
}

void NeverDone(IScheduler& scheduler) {
  auto& group = *new WaitGroup;
  group.Add(3);
  Go(scheduler,
     [&group] {
       group.Done();
       group.Wait();
     },
     {.name = "waiter"});
}

void NeverFired(IScheduler& scheduler) {
  auto& event = *new Event;
  Go(scheduler, [&event] { event.Wait(); }, {.name = "waiter"});
}

// The next fibers of the same code run on the stack that the former one used.
void HolderEnds(IScheduler& scheduler) {
  auto& mutex = *new Mutex;
  for (const char* name : {"forgetful", "waiter", "another"}) {
    Go(scheduler, [&mutex] { mutex.Lock(); }, {.name = name});
  }
}

void HeldWhileReceiving(IScheduler& scheduler) {
  struct Shared {
    Mutex mutex;
    Event locked;
    Channel<int> channel{0};
  };
  auto& shared = *new Shared;
  Go(scheduler,
     [&shared] {
       shared.mutex.Lock();
       shared.locked.Fire();
       shared.channel.Receive();
     },
     {.name = "holder"});
  Go(scheduler,
     [&shared] {
       shared.locked.Wait();
       shared.mutex.Lock();
       shared.channel.Send(1);
     },
     {.name = "sender"});
}

void Chain(IScheduler& scheduler) {
  struct Shared {
    std::array<Mutex, 2> mutexes;
    std::array<Event, 2> locked;
    Event never;
  };
  auto& shared = *new Shared;
  Go(scheduler,
     [&shared] {
       shared.mutexes[0].Lock();
       shared.locked[0].Fire();
       shared.never.Wait();
     },
     {.name = "last"});
  Go(scheduler,
     [&shared] {
       shared.locked[0].Wait();
       shared.mutexes[1].Lock();
       shared.locked[1].Fire();
       shared.mutexes[0].Lock();
     },
     {.name = "middle"});
  Go(scheduler,
     [&shared] {
       shared.locked[1].Wait();
       shared.mutexes[1].Lock();
     },
     {.name = "first"});
}

void Many(IScheduler& scheduler) {
  struct Shared {
    Mutex mutex;
    Event locked;
    Event never;
  };
  auto& shared = *new Shared;
  Go(scheduler,
     [&shared] {
       shared.mutex.Lock();
       shared.locked.Fire();
       shared.never.Wait();
     },
     {.name = "holder"});
  for (int i = 0; i < 3000; ++i) {
    Go(scheduler,
       [&shared] {
         shared.locked.Wait();
         shared.mutex.Lock();
       },
       {.name = "one of many"});
  }
  TwoMutexes(scheduler);
}

// The owner is handed the mutex by the one before it, which is a case of its own.
void HandedOver(IScheduler& scheduler) {
  struct Shared {
    Mutex mutex;
    Event locked;
    Event queued;
    Event never;
  };
  auto& shared = *new Shared;
  Go(scheduler,
     [&shared] {
       shared.mutex.Lock();
       shared.locked.Fire();
       shared.queued.Wait();
       for (int i = 0; i < 100; ++i) {
         fibers::Yield();  // the second and the third are in the queue by then, or lock later: the
                           // same in the end
       }
       shared.mutex.Unlock();
     },
     {.name = "former"});
  Go(scheduler,
     [&shared] {
       shared.locked.Wait();
       shared.queued.Fire();
       shared.mutex.Lock();
       Event next;
       Go([&shared] { shared.mutex.Lock(); }, {.name = "waiter"});
       shared.never.Wait();
     },
     {.name = "heir"});
}

// The fiber is on, and its resumption belongs to, an executor that another fiber runs by hand.
void Hosted(IScheduler& scheduler) {
  struct Shared {
    ManualExecutor executor;
    Event never;
    WaitGroup done;
  };
  auto& shared = *new Shared;
  shared.done.Add(1);
  Go(scheduler,
     [&shared] {
       Go(shared.executor,
          [&shared] {
            shared.never.Wait();
            shared.done.Done();
          },
          {.name = "guest"});
       shared.executor.Drain();
       shared.done.Wait();
     },
     {.name = "host"});
}

void ExecutorIsNeverRun(IScheduler& scheduler) {
  struct Shared {
    ManualExecutor executor;
    Event event;
    WaitGroup done;
  };
  auto& shared = *new Shared;
  shared.done.Add(1);
  Go(scheduler,
     [&shared] {
       Go(shared.executor,
          [&shared] {
            shared.event.Wait();
            shared.done.Done();
          },
          {.name = "guest"});
       shared.executor.Drain();
       shared.event.Fire();
       shared.done.Wait();
     },
     {.name = "host"});
}

void NeverResumed(IScheduler& scheduler) {
  auto& place = *new fibers::FiberHandle;
  Go(scheduler,
     [&place] {
       fibers::FiberHandle* const to = &place;
       fibers::Suspend([to](fibers::FiberHandle fiber) { *to = std::move(fiber); });
     },
     {.name = "parked"});
}

void OnlyAThread(IScheduler& /*scheduler*/) {
  auto& group = *new WaitGroup;
  group.Add(7);
  group.Wait();
}

// ---- Not deadlocks ----

// Started, and dropped by a scheduler that drops what is new.
void OneFiber(IScheduler& scheduler) {
  auto& done = *new WaitGroup;
  done.Add(1);
  Go(scheduler, [&done] { done.Done(); }, {.name = "dropped"});
  done.Wait();
}

// Resumed, and dropped by a scheduler that drops what is resumed.
void OneResumption(IScheduler& scheduler) {
  auto& event = *new Event;
  auto& done = *new WaitGroup;
  done.Add(1);
  Go(scheduler,
     [&] {
       event.Wait();
       done.Done();
     },
     {.name = "dropped"});
  scheduler.WaitIdle();  // it waits, and will have to be resumed
  event.Fire();
  done.Wait();
}

// Only WaitIdle() waits. No hang, but for a scheduler that makes it one.
void OneTask(IScheduler& scheduler) {
  executors::Submit(scheduler, [] {});
}

std::atomic<std::uint64_t> turns{0};

void Spin(IScheduler& scheduler) {
  Go(scheduler,
     [] {
       for (;;) {
         ++turns;
       }
     },
     {.name = "busy"});
}

void BlockTheThread(IScheduler& scheduler) {
  auto& mutex = *new std::mutex;
  mutex.lock();
  Go(scheduler, [&mutex] { mutex.lock(); }, {.name = "blocked"});
}

// A lock of threads, held over a suspend by one fiber and wanted by another on the same worker.
void HoldAThreadsLock(IScheduler& scheduler) {
  struct Shared {
    std::mutex mutex;
    Event locked;
    Event never;
  };
  auto& shared = *new Shared;
  Go(scheduler,
     [&shared] {
       shared.mutex.lock();
       shared.locked.Fire();
       shared.never.Wait();
     },
     {.name = "holder"});
  Go(scheduler,
     [&shared] {
       shared.locked.Wait();
       shared.mutex.lock();
     },
     {.name = "victim"});
}

const Register<&AndWait<&TwoMutexes>> kTwoMutexes{"two_mutexes"};
const Register<&AndWait<&ThreeMutexes>> kThreeMutexes{"three_mutexes"};
const Register<&AndWait<&Philosophers>> kPhilosophers{"philosophers"};
const Register<&AndWait<&TwoCircles>> kTwoCircles{"two_circles"};
const Register<&AndWait<&SelfLock>> kSelfLock{"self_lock"};
const Register<&AndWait<&NeverSent>> kNeverSent{"never_sent"};
const Register<&AndWait<&NeverReceived>> kNeverReceived{"never_received"};
const Register<&AndWait<&NeverMet>> kNeverMet{"never_met"};
const Register<&AndWait<&NeverDone>> kNeverDone{"never_done"};
const Register<&AndWait<&NeverFired>> kNeverFired{"never_fired"};
const Register<&AndWait<&HolderEnds>> kHolderEnds{"holder_ends"};
const Register<&AndWait<&HeldWhileReceiving>> kHeld{"held_while_receiving"};
const Register<&AndWait<&Chain>> kChain{"chain"};
const Register<&AndWait<&Many>> kMany{"many"};
const Register<&AndWait<&HandedOver>> kHandedOver{"handed_over"};
const Register<&AndWait<&Hosted>> kHosted{"hosted"};
const Register<&AndWait<&ExecutorIsNeverRun>> kExecutor{"executor_is_never_run"};
const Register<&AndWait<&NeverResumed>> kNeverResumed{"never_resumed"};
const Register<&OnlyAThread> kOnlyAThread{"only_a_thread"};
const Register<&OneFiber> kOneFiber{"one_fiber"};
const Register<&OneResumption> kOneResumption{"one_resumption"};
const Register<&OneTask> kOneTask{"one_task"};
const Register<&OneTask> kNoHang{"no_hang_of_its_own"};
const Register<&AndWait<&Spin>> kSpin{"spin"};
const Register<&AndWait<&BlockTheThread>> kBlock{"block_the_thread"};

const Register<&AndWait<&HoldAThreadsLock>> kHoldAThreadsLock{"hold_a_threads_lock"};

// Neither hangs nor leaves anything behind: what goes wrong under it is the scheduler's.
class Harmless final : public registry::IWorkload {
 public:
  std::uint64_t Run(IScheduler& scheduler) override {
    constexpr std::uint64_t kTasks = 10;
    done_.Add(kTasks);
    for (std::uint64_t i = 0; i < kTasks; ++i) {
      executors::Submit(scheduler, [this] { done_.Done(); });
    }
    done_.Wait();
    return kTasks;
  }

  std::string Verify() override {
    return "";
  }

 private:
  fibers::WaitGroup done_;
};

const registry::WorkloadRegistration kHarmless{{
    .name = "harmless",
    .doc = "ten tasks in each round",
    .operation = "task",
    .schema = &config::SchemaOf<NoParameters>,
    .make = [](const config::Settings& /*settings*/, std::uint64_t /*seed*/)
        -> std::unique_ptr<registry::IWorkload> { return std::make_unique<Harmless>(); },
}};

// Leaves a fiber behind in a run that ends well.
class Leaving final : public registry::IWorkload {
 public:
  std::uint64_t Run(IScheduler& scheduler) override {
    Go(scheduler, [this] { never_.Wait(); }, {.name = "left behind"});
    return 1;
  }

  std::string Verify() override {
    return "";
  }

 private:
  Event& never_ = *new Event;
};

const registry::WorkloadRegistration kLeaving{{
    .name = "leave_a_fiber",
    .doc = "leaves a fiber behind in each round",
    .operation = "fiber",
    .schema = &config::SchemaOf<NoParameters>,
    .make = [](const config::Settings& /*settings*/, std::uint64_t /*seed*/)
        -> std::unique_ptr<registry::IWorkload> { return std::make_unique<Leaving>(); },
}};

}  // namespace

}  // namespace schedbench::tests

// Models of schedulers/pool/coordinator.hpp alone, for what the whole scheduler reaches only by
// long ways.
#include "schedulers/pool/coordinator.hpp"

#include "tests/sim/models/support.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace schedbench::sim::coordinator_model {

namespace {

using schedulers::Coordinator;

// A task that two workers find when they look around, as the protocol of a worker has it.
class Scene {
 public:
  Scene() {
    coordinator_.RequestStop();
  }

  void Work(std::uint32_t worker) {
    for (bool searching = false;;) {
      const auto announced = coordinator_.AnnouncePark(worker, searching);
      // relaxed: ordered by the coordinator's fence.
      if (announced.recheck && task_.Load(memory_order_relaxed) == kQueued) {
        if (coordinator_.CancelPark(worker)) {
          Run();
          searching = false;
          continue;
        }
      } else if (announced.last && coordinator_.TryEnd(worker)) {
        break;
      }
      if (coordinator_.Park(worker) == Coordinator::Slept::kEnded) {
        break;
      }
      searching = true;
    }
    // relaxed: a read-modify-write, because it reads the newest value.
    Check(task_.FetchAdd(0, memory_order_relaxed) == kDone, "a worker ends while there is work");
  }

 private:
  static constexpr std::uint32_t kDone = 0;
  static constexpr std::uint32_t kQueued = 1;
  static constexpr std::uint32_t kRunning = 2;

  void Run() {
    std::uint32_t expected = kQueued;
    // relaxed: only the values count.
    const bool found =
        task_.CompareExchange(expected, kRunning, memory_order_relaxed, memory_order_relaxed);
    coordinator_.EndSearch();
    if (found) {
      task_.Store(kDone, memory_order_relaxed);
    }
  }

  Coordinator coordinator_{2, 1};
  Atomic<std::uint32_t> task_{kQueued};
};

const ModelRegistration kEnd{{
    .name = "coordinator/end",
    .claim = "no worker ends while another runs a task, and then all do",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Scene scene;
          platform::Thread other("other", [&] { scene.Work(1); });
          scene.Work(0);
        },
}};

// Each way of notifying others of work, to a worker on its way to sleep.
template <auto Notify>
void PublishToOneThatParks() {
  Coordinator coordinator(2, 1);
  Atomic<std::uint32_t> task{0};
  platform::Thread worker("worker", [&] {
    // relaxed, here and below: ordered by the coordinator's fences.
    for (bool searching = false; task.Load(memory_order_relaxed) == 0; searching = true) {
      if (!coordinator.AnnouncePark(1, searching).recheck || task.Load(memory_order_relaxed) == 0 ||
          !coordinator.CancelPark(1)) {
        coordinator.Park(1);
      }
    }
  });
  task.Store(1, memory_order_relaxed);
  Notify(coordinator);
}

constexpr Limits kPublish{.preemptions = 6, .stale_reads = 3, .spurious = 1};

const ModelRegistration kNotify{{
    .name = "coordinator/notify",
    .claim = "a worker that comes to sleep beside a task is woken, or does not sleep",
    .limits = kPublish,
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) { coordinator.Notify(); }>,
}};

const ModelRegistration kNotifyMany{{
    .name = "coordinator/notify_many",
    .claim = "a worker that comes to sleep beside a task is woken, or does not sleep",
    .limits = kPublish,
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) { coordinator.NotifyMany(2); }>,
}};

const ModelRegistration kNotifyAll{{
    .name = "coordinator/notify_all",
    .claim = "a worker that comes to sleep beside a task is woken, or does not sleep",
    .limits = kPublish,
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) { coordinator.NotifyAll(); }>,
}};

const ModelRegistration kNotifyOfBacklog{{
    .name = "coordinator/notify_of_backlog",
    .claim = "a worker that comes to sleep beside a task is woken, or does not sleep",
    .limits = kPublish,
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) { coordinator.NotifyOfBacklog(); }>,
}};

// A publisher that sees a searcher wakes no worker; the searcher finds other work and rechecks the
// queues when it leaves.
const ModelRegistration kFoundWork{{
    .name = "coordinator/found_work",
    .claim = "a searcher that leaves with work sees what was published while it searched",
    .limits = {.preemptions = 6, .stale_reads = 2, .spurious = 1},
    .body =
        [] {
          Coordinator coordinator(3, 2);
          Atomic<std::uint32_t> task{0};
          platform::Thread searcher("searcher", [&] {
            if (coordinator.TryBeginSearch() && coordinator.EndSearch() &&
                task.Load(memory_order_relaxed) == 1) {  // relaxed: ordered by EndSearch()
              coordinator.Notify();
            }
          });
          platform::Thread sleeper("sleeper", [&] {
            // relaxed: ordered by the coordinator's fence.
            if (!coordinator.AnnouncePark(2, false).recheck ||
                task.Load(memory_order_relaxed) == 0 || !coordinator.CancelPark(2)) {
              coordinator.Park(2);
            }
          });
          task.Store(1, memory_order_relaxed);  // relaxed: published by Notify()
          coordinator.Notify();
        },
}};

// Tasks that need a worker each: every worker takes one, and none after that. Three workers have
// two words of a WorkerSet here.
class OneTaskEach {
 public:
  OneTaskEach(std::uint32_t workers, std::uint32_t max_searching)
      : coordinator_(workers, max_searching) {
  }

  Coordinator& Coordination() {
    return coordinator_;
  }

  void Publish(std::uint32_t count) {
    // relaxed: the coordinator's fence orders it.
    tasks_.FetchAdd(count, memory_order_relaxed);
  }

  void Work(std::uint32_t worker) {
    for (bool searching = false; !TryTake(searching); searching = true) {
      const auto announced = coordinator_.AnnouncePark(worker, searching);
      Check(!announced.last, "a worker is to end although there was no stop");
      if (!announced.recheck || !HasTasks() || !coordinator_.CancelPark(worker)) {
        Check(coordinator_.Park(worker) == Coordinator::Slept::kWoken,
              "a worker ends although there was no stop");
      }
    }
  }

  // All workers run: no claim is left over.
  void CheckCounts() {
    Check(coordinator_.Count().searching == 0, "a worker that runs is counted as searching");
    // relaxed: all threads have ended.
    const std::uint64_t word = coordinator_.State().Load(memory_order_relaxed);
    Check((word & Coordinator::IdleMask()) == 0, "a worker that runs is counted as idle");
    Check(coordinator_.IdlePeriods().Load(memory_order_relaxed) == 0,
          "an idle period has not ended although all workers run");
    Check(coordinator_.Count().idle == 0, "a worker that runs is in the set of the idle");
  }

 private:
  bool HasTasks() const {
    // relaxed: ordered by the coordinator's fence.
    return tasks_.Load(memory_order_relaxed) != 0;
  }

  bool TryTake(bool searching) {
    // relaxed, here and below: only the number counts.
    std::uint32_t tasks = tasks_.Load(memory_order_relaxed);
    do {
      if (tasks == 0) {
        return false;
      }
    } while (!tasks_.CompareExchange(tasks, tasks - 1, memory_order_relaxed, memory_order_relaxed));
    if (searching && coordinator_.EndSearch() && HasTasks()) {
      coordinator_.Notify();
    }
    return true;
  }

  Coordinator coordinator_;
  Atomic<std::uint32_t> tasks_{0};
};

// Workers on both words, the main thread publishes as `Publish` does.
template <auto Publish>
void PublishToWorkers(std::initializer_list<std::uint32_t> workers) {
  OneTaskEach scene(3, 2);
  {
    std::vector<platform::Thread> threads;
    threads.reserve(workers.size());
    for (const std::uint32_t worker : workers) {
      threads.emplace_back("worker", [&scene, worker] { scene.Work(worker); });
    }
    Publish(scene);
  }
  scene.CheckCounts();
}

void PublishOneByOne(OneTaskEach& scene, int count) {
  for (int i = 0; i < count; ++i) {
    scene.Publish(1);
    scene.Coordination().Notify();
  }
}

const ModelRegistration kClaimAndCancel{{
    .name = "coordinator/claim_and_cancel",
    .claim =
        "a worker that cancels while it is claimed is counted once; the next task finds the other",
    .limits = {.preemptions = 5, .stale_reads = 1, .spurious = 0},
    .body = [] { PublishToWorkers<[](OneTaskEach& scene) { PublishOneByOne(scene, 2); }>({0, 2}); },
}};

const ModelRegistration kClaimMany{{
    .name = "coordinator/claim_many",
    .claim = "a batch gives each of its tasks a worker, from whichever word",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          PublishToWorkers<[](OneTaskEach& scene) {
            scene.Publish(2);
            scene.Coordination().NotifyMany(2);
          }>({1, 2});
        },
}};

const ModelRegistration kClaimOfThree{{
    .name = "coordinator/claim_of_three",
    .claim = "three workers and two words: each task finds a worker, and no claim is left over",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body =
        [] { PublishToWorkers<[](OneTaskEach& scene) { PublishOneByOne(scene, 3); }>({0, 1, 2}); },
}};

// Worker 0 cancels while it is claimed: for a moment no worker is counted as idle, although worker
// 2 sleeps. A task that is published then is found by a searcher, which wakes worker 2.
const ModelRegistration kGivenBackBesideAPublisher{{
    .name = "coordinator/claim_given_back_beside_a_publisher",
    .claim =
        "a publisher that misses an idle period is seen by the last worker to leave the search",
    .limits = {.preemptions = 4, .stale_reads = 2, .spurious = 0},
    .body =
        [] {
          Coordinator coordinator(3, 3);
          Atomic<std::uint32_t> task{0};
          const auto leave_search = [&] {
            // relaxed: ordered by the coordinator's fences.
            if (coordinator.EndSearch() && task.Load(memory_order_relaxed) == 1) {
              coordinator.Notify();
            }
          };
          coordinator.AnnouncePark(2, false);
          coordinator.AnnouncePark(0, false);
          coordinator.Notify();  // claims worker 0
          Check(coordinator.TryBeginSearch(), "worker 1 may not search");
          platform::Thread sleeping("sleeping", [&] { coordinator.Park(2); });
          platform::Thread searching("searching", leave_search);
          platform::Thread cancelling("cancelling", [&] {
            if (!coordinator.CancelPark(0)) {
              coordinator.Park(0);
            }
            leave_search();
          });
          task.Store(1, memory_order_relaxed);  // relaxed: published by Notify()
          coordinator.Notify();
        },
}};

// Worker 0 cancels while it is claimed; worker 2 stays idle, or is claimed. A third thread changes
// the word meanwhile.
const ModelRegistration kClaimGivenBack{{
    .name = "coordinator/claim_given_back",
    .claim = "a claim that is given back leaves all counts right",
    .limits = {.preemptions = 5, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Coordinator coordinator(3, 3);
          coordinator.AnnouncePark(2, false);
          coordinator.AnnouncePark(0, false);
          {
            platform::Thread cancelling("cancelling", [&] {
              if (!coordinator.CancelPark(0)) {
                coordinator.Park(0);
              }
              coordinator.EndSearch();
            });
            platform::Thread publisher("publisher", [&] { coordinator.NotifyMany(1); });
            if (coordinator.TryBeginSearch()) {
              coordinator.EndSearch();
            }
          }
          const Coordinator::Workers workers = coordinator.Count();
          // relaxed: all threads have ended.
          const std::uint64_t word = coordinator.State().Load(memory_order_relaxed);
          Check((word & Coordinator::IdleMask()) == workers.idle, "the count and the set differ");
          Check((coordinator.IdlePeriods().Load(memory_order_relaxed) != 0) == (workers.idle != 0),
                "the idle periods and the count differ");
          Check(workers.idle + workers.searching == 1, "only worker 2 is idle, or claimed");
        },
}};

// Two publishers claim at the same time, and take each other's workers.
const ModelRegistration kTwoPublishers{{
    .name = "coordinator/two_publishers",
    .claim = "as many workers are claimed as there are claims, each once",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          PublishToWorkers<[](OneTaskEach& scene) {
            platform::Thread other("publisher", [&scene] { PublishOneByOne(scene, 1); });
            PublishOneByOne(scene, 1);
          }>({0, 2});
        },
}};

const ModelRegistration kWaitIdleLeft{{
    .name = "coordinator/wait_idle_is_left",
    .claim = "a thread that returns from WaitIdle is not counted any more",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Coordinator coordinator(1, 1);
          platform::Thread worker("worker", [&] { coordinator.AnnouncePark(0, false); });
          coordinator.WaitIdle([&] { return coordinator.AllIdle(); });
          worker.Join();
          // relaxed: all threads have ended.
          Check((coordinator.State().Load(memory_order_relaxed) & ~Coordinator::IdleMask()) == 0,
                "a thread is counted that has returned");
        },
}};

const ModelRegistration kAbandon{{
    .name = "coordinator/abandon",
    .claim = "workers end although not all of them were started",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Coordinator coordinator(3, 2);
          const auto work = [&coordinator](std::uint32_t worker) {
            const bool searching = coordinator.TryBeginSearch();
            while (
                !(coordinator.AnnouncePark(worker, searching).last && coordinator.TryEnd(worker)) &&
                coordinator.Park(worker) == Coordinator::Slept::kWoken) {
              coordinator.EndSearch();
            }
          };
          platform::Thread first("first", [&] { work(0); });
          platform::Thread second("second", [&] { work(1); });
          coordinator.Abandon();
        },
}};

// A worker whose thread completes it after it has announced that the worker is idle, and then
// leaves it.
class LeftWorker final : public schedulers::IVacancies {
 public:
  void Leave() {
    coordinator_.AnnouncePark(0, false);
    Use();
    if (coordinator_.Vacate(0) == Coordinator::Slept::kWoken) {
      Use();
    }
  }

  void Fill(std::uint32_t /*worker*/) noexcept override {
    Use();
  }

  void Take() {
    if (coordinator_.TryTake(0) == 0) {
      Use();
    }
  }

  void Wake() {
    coordinator_.Notify();
  }

 private:
  void Use() {
    uses_.Write(uses_.Read() + 1);
  }

  Coordinator coordinator_{1, 1, this};
  Cell<int> uses_;  // belongs to the thread that runs the worker
};

template <auto Claim>
void ClaimALeftWorker() {
  LeftWorker left;
  const platform::Thread worker("worker", [&] { left.Leave(); });
  (left.*Claim)();
}

constexpr Limits kLeave{.preemptions = 6, .stale_reads = 2, .spurious = 1};

const ModelRegistration kWakeLeft{{
    .name = "coordinator/left_worker_is_woken",
    .claim = "the thread that wakes a worker without a thread has all that the last one wrote",
    .limits = kLeave,
    .body = &ClaimALeftWorker<&LeftWorker::Wake>,
}};

const ModelRegistration kTakeLeft{{
    .name = "coordinator/left_worker_is_taken",
    .claim = "the thread that takes a worker without a thread has all that the last one wrote",
    .limits = kLeave,
    .body = &ClaimALeftWorker<&LeftWorker::Take>,
}};

class NoVacancies final : public schedulers::IVacancies {
 public:
  void Fill(std::uint32_t /*worker*/) noexcept override {
    Check(false, "a worker is filled after the end");
  }
};

// Nothing wakes the worker but the end.
const ModelRegistration kEndAsItLeaves{{
    .name = "coordinator/end_beside_a_worker_that_is_left",
    .claim = "a worker that is woken by the end alone sees the end, also as its thread leaves it",
    .limits = kLeave,
    .body =
        [] {
          NoVacancies vacancies;
          Coordinator coordinator(1, 1, &vacancies);
          const platform::Thread worker("worker", [&] {
            if (!coordinator.AnnouncePark(0, false).last) {
              Check(coordinator.Vacate(0) != Coordinator::Slept::kWoken,
                    "the worker searches although all has ended");
            }
          });
          coordinator.Abandon();
        },
}};

}  // namespace

}  // namespace schedbench::sim::coordinator_model

// Models of schedulers/pool/coordinator.hpp alone, for what the whole scheduler reaches only by long ways.
#include "schedulers/pool/coordinator.hpp"

#include "tests/sim/models/support.hpp"

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
      if (announced.recheck && task_.Load(memory_order_relaxed) == kQueued &&
          coordinator_.CancelPark(worker)) {
        Run();
        searching = false;
        continue;
      }
      if ((announced.last && coordinator_.TryEnd(worker)) ||
          coordinator_.Park(worker) == Coordinator::Slept::kEnded) {
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
          platform::Thread other("other", [&] {
            scene.Work(1);
          });
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
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) {
      coordinator.Notify();
    }>,
}};

const ModelRegistration kNotifyMany{{
    .name = "coordinator/notify_many",
    .claim = "a worker that comes to sleep beside a task is woken, or does not sleep",
    .limits = kPublish,
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) {
      coordinator.NotifyMany(2);
    }>,
}};

const ModelRegistration kNotifyAll{{
    .name = "coordinator/notify_all",
    .claim = "a worker that comes to sleep beside a task is woken, or does not sleep",
    .limits = kPublish,
    .body = &PublishToOneThatParks<[](Coordinator& coordinator) {
      coordinator.NotifyAll();
    }>,
}};

// A publisher that sees a searcher wakes no worker; the searcher finds other work and rechecks the queues when it leaves.
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
          platform::Thread first("first", [&] {
            work(0);
          });
          platform::Thread second("second", [&] {
            work(1);
          });
          coordinator.Abandon();
        },
}};

}  // namespace

}  // namespace schedbench::sim::coordinator_model

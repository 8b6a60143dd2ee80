// Models of the other global queues of schedulers/queues, the same for each.
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "tests/sim/models/global_scene.hpp"
#include "tests/sim/models/support.hpp"

#include <optional>
#include <string>

namespace schedbench::sim::global_queues_model {

namespace {

using executors::TaskBase;
using schedulers::TaskList;

template <typename Queue>
void ProducersAndTakers() {
  GlobalScene<Queue, 4> scene;
  platform::Thread producer("producer", [&] {
    scene.Push(2);
    scene.TakeOne();
  });
  platform::Thread taker("taker", [&] { scene.TakeAll(); });
  scene.Append(0, 2);
  scene.TakeOne();
  scene.Push(3);
  producer.Join();
  taker.Join();
  scene.CheckEnd();
}

template <typename Queue>
void Order() {
  GlobalScene<Queue, 4> scene;
  platform::Thread producer("producer", [&] {
    scene.Push(0);
    scene.Append(1, 2);
    scene.Push(3);
  });
  std::size_t last = 0;
  const auto take = [&](TaskBase* task) {
    Check(NumberOf(task) >= last, "tasks of one producer are out of order");
    last = NumberOf(task);
    scene.Take(task);
  };
  for (int i = 0; i < 2; ++i) {
    if constexpr (kGivesSingleTasks<Queue>) {
      // Some stay behind in what was taken over, before newer ones.
      for (int single = 0; single < 2; ++single) {
        if (TaskBase* const task = scene.queue.TryPop()) {
          take(task);
        }
      }
    }
    TaskList all = scene.queue.GrabAll();
    while (TaskBase* const task = all.TryPopFront()) {
      take(task);
    }
  }
  producer.Join();
  scene.CheckEnd();
}

template <typename Queue>
void Visible() {
  GlobalScene<Queue, 2> scene;
  Atomic<std::uint32_t> known{0};
  platform::Thread looker("looker", [&] {
    // acquire: pairs with the release below.
    if (known.Load(memory_order_acquire) == 1) {
      Check(!scene.queue.Counts().IsEmpty(), "a task that was pushed before is not seen");
      Check(scene.TakeOne() == 1, "a task that was pushed before cannot be taken");
    }
  });
  scene.Push(0);
  scene.TakeOne();
  scene.Push(1);
  // release: pairs with the acquire above.
  known.Store(1, memory_order_release);
  looker.Join();
  scene.CheckEnd();
}

// One taker that knows of its own push; another push is anywhere.
template <typename Queue>
void Counted() {
  GlobalScene<Queue, 2> scene;
  platform::Thread other("other", [&] { scene.Push(0); });
  scene.Push(1);
  if constexpr (kGivesSingleTasks<Queue>) {
    if (TaskBase* const task = scene.queue.TryPop()) {
      scene.Take(task);
    }
  }
  Check(scene.tokens.IsTaken(1) || !scene.queue.Counts().IsEmpty(),
        "a task that was pushed before is not seen");
  other.Join();
  scene.CheckEnd();
}

// Single tasks, so that the queue holds one at any moment.
template <typename Queue>
void NeverEmpty() {
  GlobalScene<Queue, 3> scene;
  scene.Push(0);
  platform::Thread looker("looker", [&] {
    Check(!scene.queue.Counts().IsEmpty(), "a queue that was never empty looks empty");
  });
  scene.Push(1);
  scene.TakeOne();
  scene.Push(2);
  scene.TakeOne();
  looker.Join();
  scene.CheckEnd();
}

template <typename Queue>
class Family {
 public:
  explicit Family(const std::string& name)
      : all_({.name = name + "/producers_and_takers",
              .claim = "each task is taken exactly once, after it was pushed",
              .limits = {.preemptions = 2},
              .body = &ProducersAndTakers<Queue>}),
        order_({.name = name + "/order_of_one_producer",
                .claim = "tasks of one producer come in the order of their pushes",
                .limits = kLimits,
                .body = &Order<Queue>}),
        is_empty_(
            {.name = name + "/is_empty",
             .claim =
                 "a thread that knows of a push sees the queue not empty until the task is taken",
             .limits = kLimits,
             .body = &Visible<Queue>}),
        counted_({.name = name + "/own_push",
                  .claim = "a pusher sees the queue not empty until its task is taken",
                  .limits = kLimits,
                  .body = &Counted<Queue>}) {
    if constexpr (kGivesSingleTasks<Queue>) {
      never_empty_ = ModelRegistration(
          {.name = name + "/never_empty",
           .claim = "a queue that was never empty since a push that is known of does not look so",
           .limits = kLimits,
           .body = &NeverEmpty<Queue>});
    }
  }

 private:
  static constexpr Limits kLimits{.preemptions = 3};

  ModelRegistration all_;
  ModelRegistration order_;
  ModelRegistration is_empty_;
  ModelRegistration counted_;
  std::optional<ModelRegistration> never_empty_;
};

const Family<schedulers::LockFreeGlobalQueue> kLockFree("lock_free");
const Family<schedulers::TakeAllStack> kTakeAll("take_all");

}  // namespace

}  // namespace schedbench::sim::global_queues_model

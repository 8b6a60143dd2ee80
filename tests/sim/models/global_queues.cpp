// Models of the other global queues of schedulers/queues, the same for each.
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/take_all_stack.hpp"
#include "tests/sim/models/support.hpp"

#include <string>

namespace schedbench::sim {

namespace {

using executors::TaskBase;
using schedulers::GlobalQueueModel;
using schedulers::TaskList;

// Tasks 0 .. N - 1 and a queue. A task carries what its producer wrote before the push.
template <typename Queue, std::size_t N>
struct Scene {
  void Push(std::size_t task) {
    payload[task].Write(1);
    queue.Push(tokens[task]);
  }

  void Append(std::size_t first, std::size_t count) {
    TaskList batch;
    for (std::size_t i = first; i < first + count; ++i) {
      payload[i].Write(1);
      batch.PushBack(tokens[i]);
    }
    queue.Append(std::move(batch));
  }

  // Returns how many.
  std::size_t TakeAll() {
    TaskList all = queue.GrabAll();
    const std::size_t count = all.Size();
    while (TaskBase* const task = all.TryPopFront()) {
      Take(task);
    }
    return count;
  }

  // One, where the queue gives single ones.
  std::size_t TakeOne() {
    if constexpr (GlobalQueueModel<Queue>) {
      TaskBase* const task = queue.TryPop();
      if (task != nullptr) {
        Take(task);
      }
      return task == nullptr ? 0 : 1;
    } else {
      return TakeAll();
    }
  }

  void Take(TaskBase* task) {
    Check(payload[NumberOf(task)].Read() == 1, "a task comes before what was written before it");
    tokens.Take(task);
  }

  // When all others are done.
  void CheckEnd() {
    TakeAll();
    Check(queue.Counts().IsEmpty(), "an empty queue does not say so");
    Check(queue.Counts().Pushed() == N && queue.Counts().Taken() == N, "the counts are wrong");
    tokens.CheckAllTaken();
  }

  Tokens<N> tokens;
  std::array<Cell<int>, N> payload;
  Queue queue;
};

template <typename Queue>
void ProducersAndTakers() {
  Scene<Queue, 4> scene;
  platform::Thread producer("producer", [&] {
    scene.Push(2);
    scene.TakeOne();
  });
  platform::Thread taker("taker", [&] {
    scene.TakeAll();
  });
  scene.Append(0, 2);
  scene.TakeOne();
  scene.Push(3);
  producer.Join();
  taker.Join();
  scene.CheckEnd();
}

template <typename Queue>
void Order() {
  Scene<Queue, 4> scene;
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
    if constexpr (GlobalQueueModel<Queue>) {
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
  Scene<Queue, 2> scene;
  Atomic<std::uint32_t> told{0};
  platform::Thread looker("looker", [&] {
    // acquire: pairs with the release below.
    if (told.Load(memory_order_acquire) == 1) {
      Check(!scene.queue.Counts().IsEmpty(), "a task that was pushed before is not seen");
      Check(scene.TakeOne() == 1, "a task that was pushed before cannot be taken");
    }
  });
  scene.Push(0);
  scene.TakeOne();
  scene.Push(1);
  // release: pairs with the acquire above.
  told.Store(1, memory_order_release);
  looker.Join();
  scene.CheckEnd();
}

// One taker, who knows of his own push; another push is anywhere.
template <typename Queue>
void Counted() {
  Scene<Queue, 2> scene;
  platform::Thread other("other", [&] {
    scene.Push(0);
  });
  scene.Push(1);
  if constexpr (GlobalQueueModel<Queue>) {
    if (TaskBase* const task = scene.queue.TryPop()) {
      scene.Take(task);
    }
  }
  Check(scene.tokens.IsTaken(1) || !scene.queue.Counts().IsEmpty(),
        "a task that was pushed before is not seen");
  other.Join();
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
        is_empty_({.name = name + "/is_empty",
                   .claim = "who knows of a push sees the queue not empty until the task is taken",
                   .limits = kLimits,
                   .body = &Visible<Queue>}),
        counted_({.name = name + "/own_push",
                  .claim = "who pushes sees the queue not empty until his task is taken",
                  .limits = kLimits,
                  .body = &Counted<Queue>}) {
  }

 private:
  static constexpr Limits kLimits{.preemptions = 3};

  ModelRegistration all_;
  ModelRegistration order_;
  ModelRegistration is_empty_;
  ModelRegistration counted_;
};

const Family<schedulers::LockFreeGlobalQueue> kLockFree("lock_free");
const Family<schedulers::TakeAllStack> kTakeAll("take_all");

}  // namespace

}  // namespace schedbench::sim

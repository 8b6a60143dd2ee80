// Models of the other local queues of schedulers/queues, the same for each.
#include "schedulers/queues/lfab_queue.hpp"
#include "schedulers/queues/mutex_queue.hpp"
#include "schedulers/queues/two_head_queue.hpp"
#include "tests/sim/models/narrow_index.hpp"
#include "tests/sim/models/support.hpp"

#include <span>
#include <string>

namespace schedbench::sim::local_queues_model {

namespace {

using executors::TaskBase;
using schedulers::Sharing;

// Tasks 0 .. N - 1, a queue that its owner fills, and threads that take from it. A task carries
// what its owner wrote before the push.
template <typename Queue, std::size_t N>
struct Scene {
  explicit Scene(std::size_t capacity)
      : queue(capacity, Sharing::kStealable) {
  }

  bool TryPush() {
    payload[pushed].Write(1);
    if (!queue.TryPush(tokens[pushed])) {
      return false;
    }
    ++pushed;
    return true;
  }

  void Take(TaskBase* task) {
    Check(payload[NumberOf(task)].Read() == 1, "a task comes before what was written before it");
    tokens.Take(task);
  }

  void Pop() {
    if (TaskBase* const task = queue.TryPop()) {
      Take(task);
    }
  }

  std::size_t Grab(std::size_t room = 4) {
    std::array<TaskBase*, 4> batch{};
    const std::size_t count = queue.Grab(std::span(batch).first(room));
    for (std::size_t i = 0; i < count; ++i) {
      Take(batch[i]);
      Check(i == 0 || NumberOf(batch[i - 1]) < NumberOf(batch[i]), "a batch is out of order");
    }
    return count;
  }

  // The owner, as a worker does: what a full queue does not take goes elsewhere.
  void PushAll() {
    while (pushed < N) {
      if (!TryPush() && Grab(1) == 0) {
        Take(tokens[pushed++]);
      }
    }
  }

  // The owner, when all others are done.
  void PopAll() {
    while (TaskBase* const task = queue.TryPop()) {
      Take(task);
    }
    Check(queue.IsEmpty(), "an empty queue does not say so");
    tokens.CheckAllTaken();
  }

  Tokens<N> tokens;
  std::array<Cell<int>, N> payload;
  Queue queue;
  std::size_t pushed = 0;
};

template <typename Queue>
void PushPopSteal() {
  Scene<Queue, 4> scene(2);
  platform::Thread thief("thief", [&] {
    scene.Grab();
    scene.Grab();
  });
  scene.PushAll();
  scene.Pop();
  thief.Join();
  scene.PopAll();
}

template <typename Queue>
void TwoThieves() {
  Scene<Queue, 3> scene(2);
  platform::Thread first("first", [&] { scene.Grab(); });
  platform::Thread second("second", [&] { scene.Grab(1); });
  scene.PushAll();
  scene.Pop();
  first.Join();
  second.Join();
  scene.PopAll();
}

template <typename Queue>
void Visible() {
  Scene<Queue, 2> scene(2);
  Atomic<std::uint32_t> known{0};
  platform::Thread looker("looker", [&] {
    // acquire: pairs with the release below.
    if (known.Load(memory_order_acquire) == 1) {
      Check(!scene.queue.IsEmpty(), "a task that was pushed before is not seen");
      Check(scene.Grab() == 1, "a task that was pushed before cannot be taken");
    }
  });
  scene.TryPush();
  scene.Pop();
  scene.TryPush();
  // release: pairs with the acquire above.
  known.Store(1, memory_order_release);
  looker.Join();
  scene.PopAll();
}

template <typename Queue>
class Family {
 public:
  explicit Family(const std::string& name)
      : push_pop_steal_({.name = name + "/push_pop_steal",
                         .claim = "each task is taken exactly once while the queue wraps around "
                                  "under a thief",
                         .limits = kLimits,
                         .body = &PushPopSteal<Queue>}),
        two_thieves_({.name = name + "/two_thieves",
                      .claim = "two thieves and the owner take each task exactly once",
                      .limits = kLimits,
                      .body = &TwoThieves<Queue>}),
        is_empty_(
            {.name = name + "/is_empty",
             .claim =
                 "a thread that knows of a push sees the queue not empty until the task is taken",
             .limits = kLimits,
             .body = &Visible<Queue>}) {
  }

 private:
  static constexpr Limits kLimits{.preemptions = 3, .stale_reads = 1};

  ModelRegistration push_pop_steal_;
  ModelRegistration two_thieves_;
  ModelRegistration is_empty_;
};

const Family<schedulers::TwoHeadQueue> kTwoHead("two_head");
const Family<schedulers::LFABQueue> kLFAB("lfab");
const Family<schedulers::MutexQueue> kMutex("mutex_queue");

// The queue is empty, and has no room: what does not fit is not lost.
const ModelRegistration kNoRoom({
    .name = "two_head/push_many",
    .claim = "a batch for an empty queue is taken but for the tasks that it returns",
    .limits = {.preemptions = 3, .stale_reads = 1},
    .body =
        [] {
          Scene<schedulers::TwoHeadQueue, 4> scene(2);
          scene.TryPush();
          scene.TryPush();
          platform::Thread thief("thief", [&] { scene.Grab(); });
          scene.Pop();
          scene.Pop();
          const std::array<TaskBase*, 2> batch{scene.tokens[2], scene.tokens[3]};
          scene.payload[2].Write(1);
          scene.payload[3].Write(1);
          for (std::size_t i = scene.queue.PushMany(batch); i < batch.size(); ++i) {
            scene.Take(batch[i]);
          }
          thief.Join();
          scene.PopAll();
        },
});

// A thief that sleeps until its index comes round claims a task that is not there. 3 bits do that
// in 8 steps; 32 take minutes.
const ModelRegistration kWrap{{
    .name = "two_head/index_of_3_bits",
    .claim = "an index that wraps around under a sleeping thief is found",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          constexpr std::size_t kTurn = 8;
          Tokens<kTurn> tokens;
          schedulers::BasicTwoHeadQueue<NarrowIndex<3>> queue(2);
          platform::Thread thief("thief", [&] {
            std::array<TaskBase*, 2> batch{};
            if (queue.Grab(batch) > 0) {
              tokens.Take(batch[0]);
            }
          });
          for (std::size_t i = 0; i < kTurn; ++i) {
            queue.TryPush(tokens[i]);
            if (TaskBase* const task = queue.TryPop()) {
              tokens.Take(task);
            }
          }
          thief.Join();
        },
    .must_fail = true,
}};

}  // namespace

}  // namespace schedbench::sim::local_queues_model

// Models of the ring: schedulers/queues/work_stealing_queue.hpp.
#include "schedulers/queues/work_stealing_queue.hpp"

#include "tests/sim/models/narrow_index.hpp"
#include "tests/sim/models/support.hpp"

#include <span>

namespace schedbench::sim::work_stealing_queue_model {

namespace {

using executors::TaskBase;
using schedulers::BasicWorkStealingQueue;
using schedulers::WorkStealingQueue;

// Tasks 0 .. N - 1, a ring that its owner fills, and threads that take from it.
template <std::size_t N, typename Ring = WorkStealingQueue>
struct Scene {
  explicit Scene(std::size_t capacity)
      : ring(capacity) {
  }

  void Push() {
    Check(ring.TryPush(tokens[pushed++]), "a ring with room refuses a task");
  }

  void Pop() {
    if (TaskBase* task = ring.TryPop()) {
      tokens.Take(task);
    }
  }

  std::span<TaskBase*> Grab(std::span<TaskBase*> out) {
    const std::span<TaskBase*> batch = out.first(ring.Grab(out));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tokens.Take(batch[i]);
      Check(i == 0 || NumberOf(batch[i - 1]) < NumberOf(batch[i]), "a batch is out of order");
    }
    return batch;
  }

  void Grab() {
    std::array<TaskBase*, 4> batch{};
    Grab(batch);
  }

  // The owner, when all others are done.
  void PopAll() {
    while (TaskBase* task = ring.TryPop()) {
      tokens.Take(task);
    }
    Check(ring.IsEmpty(), "an empty ring does not say so");
    tokens.CheckAllTaken();
  }

  Tokens<N> tokens;
  Ring ring;
  std::size_t pushed = 0;
};

const ModelRegistration kPushPopSteal{{
    .name = "ring/push_pop_steal",
    .claim = "each task is taken exactly once while the ring wraps around under a thief",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<4> scene(2);
          platform::Thread thief("thief", [&] {
            scene.Grab();
            scene.Grab();
          });
          while (scene.pushed < 4) {
            if (scene.ring.TryPush(scene.tokens[scene.pushed])) {
              ++scene.pushed;
            } else {
              scene.Pop();
            }
          }
          scene.Pop();
          thief.Join();
          scene.PopAll();
        },
}};

const ModelRegistration kTwoThieves{{
    .name = "ring/two_thieves",
    .claim = "two thieves and the owner share the tasks without loss",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<4> scene(4);
          platform::Thread first("first", [&] { scene.Grab(); });
          platform::Thread second("second", [&] { scene.Grab(); });
          for (int i = 0; i < 4; ++i) {
            scene.Push();
          }
          scene.Pop();
          first.Join();
          second.Join();
          scene.PopAll();
        },
}};

const ModelRegistration kOffload{{
    .name = "ring/offload",
    .claim = "the newer half of a full ring goes to its owner, the older one stays for thieves",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<6> scene(4);
          platform::Thread thief("thief", [&] {
            scene.Grab();
            scene.Grab();
          });
          for (int i = 0; i < 4; ++i) {
            scene.Push();
          }
          std::array<TaskBase*, 2> half{};
          if (scene.ring.TryTakeNewerHalf(half)) {
            Check(NumberOf(half[0]) == 2 && NumberOf(half[1]) == 3, "not the newer half");
            scene.tokens.Take(half[0]);
            scene.tokens.Take(half[1]);
          }
          while (scene.pushed < 6) {
            if (scene.ring.TryPush(scene.tokens[scene.pushed])) {
              ++scene.pushed;
            } else {
              scene.Pop();
            }
          }
          thief.Join();
          scene.PopAll();
        },
}};

// The owner takes a task back under a thief, and then uses the slots again.
template <std::size_t Taken>
void TakeBack() {
  Scene<6> scene(4);
  platform::Thread thief("thief", [&] {
    scene.Grab();
    scene.Grab();
  });
  for (int i = 0; i < 3; ++i) {
    scene.Push();
  }
  if (scene.ring.TryTakeBack(scene.tokens[Taken])) {
    scene.tokens.Take(scene.tokens[Taken]);
  }
  while (scene.pushed < 6) {
    if (scene.ring.TryPush(scene.tokens[scene.pushed])) {
      ++scene.pushed;
    } else {
      scene.Pop();
    }
  }
  thief.Join();
  scene.PopAll();
}

const ModelRegistration kTakeBackNewest{{
    .name = "ring/take_back_the_newest",
    .claim = "a task that its owner takes back goes to the owner or to a thief, and no other task "
             "is lost",
    .limits = {.preemptions = 4},
    .body = &TakeBack<2>,
}};

const ModelRegistration kTakeBackOlder{{
    .name = "ring/take_back_an_older_one",
    .claim = "the tasks that are newer than one that is taken back stay, in their order",
    .limits = {.preemptions = 4},
    .body = &TakeBack<1>,
}};

const ModelRegistration kTakeBackOnly{{
    .name = "ring/take_back_the_only_one",
    .claim =
        "a thread that knows of a push sees the ring not empty, whatever was taken back before",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<3> scene(2);
          Atomic<std::uint32_t> known{0};
          platform::Thread thief("thief", [&] {
            // acquire: pairs with the release below.
            if (known.Load(memory_order_acquire) == 1) {
              Check(!scene.ring.IsEmpty(), "a task that was pushed before is not seen");
            }
            scene.Grab();
          });
          for (int i = 0; i < 2; ++i) {
            scene.Push();
            if (scene.ring.TryTakeBack(scene.tokens[i])) {
              scene.tokens.Take(scene.tokens[i]);
            }
          }
          scene.Push();
          // release: pairs with the acquire above.
          known.Store(1, memory_order_release);
          thief.Join();
          scene.PopAll();
        },
}};

const ModelRegistration kChainedSteal{{
    .name = "ring/chained_steal",
    .claim = "stolen tasks may be stolen again while the first thief puts them into its own ring",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<4> scene(4);
          WorkStealingQueue own(4);
          platform::Thread first("first", [&] {
            std::array<TaskBase*, 4> batch{};
            const std::size_t count = scene.ring.Grab(batch);
            if (count > 0) {
              own.PushMany(std::span(batch).first(count));
            }
            while (TaskBase* task = own.TryPop()) {
              scene.tokens.Take(task);
            }
          });
          platform::Thread second("second", [&] {
            std::array<TaskBase*, 4> batch{};
            const std::size_t count = own.Grab(batch);
            for (std::size_t i = 0; i < count; ++i) {
              scene.tokens.Take(batch[i]);
            }
          });
          for (int i = 0; i < 3; ++i) {
            scene.Push();
          }
          scene.Pop();
          scene.Push();
          first.Join();
          second.Join();
          scene.PopAll();
        },
}};

const ModelRegistration kOrder{{
    .name = "ring/first_in_first_out",
    .claim = "a thief that takes twice gets older tasks first, and the owner never one older than "
             "what a "
             "thief left",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<4> scene(4);
          platform::Thread thief("thief", [&] {
            std::size_t last = 0;
            for (int i = 0; i < 2; ++i) {
              std::array<TaskBase*, 4> batch{};
              const auto taken = scene.Grab(batch);
              if (!taken.empty()) {
                Check(i == 0 || NumberOf(taken[0]) >= last, "a later grab took an older task");
                last = NumberOf(taken.back());
              }
            }
          });
          std::size_t last = 0;
          for (int i = 0; i < 4; ++i) {
            scene.Push();
            if (i % 2 == 1) {
              if (TaskBase* task = scene.ring.TryPop()) {
                scene.tokens.Take(task);
                Check(NumberOf(task) >= last, "a later pop took an older task");
                last = NumberOf(task);
              }
            }
          }
          thief.Join();
          scene.PopAll();
        },
}};

const ModelRegistration kVisible{{
    .name = "ring/is_empty",
    .claim = "a thread that knows of a push sees the ring not empty until the task is taken",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<3> scene(2);
          Atomic<std::uint32_t> known{0};
          platform::Thread looker("looker", [&] {
            // acquire: pairs with the release below.
            if (known.Load(memory_order_acquire) == 1) {
              Check(!scene.ring.IsEmpty(), "a task that was pushed before is not seen");
              std::array<TaskBase*, 2> batch{};
              Check(!scene.Grab(batch).empty(), "a task that was pushed before cannot be taken");
            }
          });
          scene.Push();
          scene.Pop();
          scene.Push();
          scene.Pop();
          scene.Push();
          // release: pairs with the acquire above.
          known.Store(1, memory_order_release);
          looker.Join();
          scene.PopAll();
        },
}};

// With 3 bits an index comes round after 8 steps: a thief that sleeps so long takes tasks that are
// not there.
template <unsigned Bits>
void WrapAround() {
  constexpr std::size_t kTurn = std::size_t{1} << Bits;
  Scene<kTurn + 2, BasicWorkStealingQueue<NarrowIndex<Bits>>> scene(2);
  platform::Thread thief("thief", [&] { scene.Grab(); });
  scene.Push();
  for (std::size_t i = 0; i < kTurn; ++i) {
    scene.Push();
    scene.Pop();
  }
  scene.Push();
  thief.Join();
  scene.PopAll();
}

const ModelRegistration kWrap3{{
    .name = "ring/index_of_3_bits",
    .claim = "an index that wraps around under a sleeping thief is found",
    .limits = {.preemptions = 4},
    .body = &WrapAround<3>,
    .must_fail = true,
}};

const ModelRegistration kWrap4{{
    .name = "ring/index_of_4_bits",
    .claim = "an index that wraps around under a sleeping thief is found",
    .limits = {.preemptions = 4},
    .body = &WrapAround<4>,
    .must_fail = true,
}};

}  // namespace

}  // namespace schedbench::sim::work_stealing_queue_model

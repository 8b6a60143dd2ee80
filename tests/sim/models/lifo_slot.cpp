// Models of the slot of a worker, open to thieves: schedulers/pool/lifo_slot.hpp.
#include "schedulers/pool/lifo_slot.hpp"

#include "tests/sim/models/support.hpp"

namespace schedbench::sim::lifo_slot_model {

namespace {

using executors::TaskBase;
using schedulers::LifoSlot;

// A slot, and tasks that each have something written before they are put there.
template <std::size_t N>
struct Scene {
  void Put(std::size_t task) {
    payload[task].Write(1);
    Take(slot.Put(tokens[task]));
  }

  void Take(TaskBase* task) {
    if (task != nullptr) {
      Check(payload[NumberOf(task)].Read() == 1, "a task comes before what was written before it");
      tokens.Take(task);
    }
  }

  LifoSlot slot{1, true};
  Tokens<N> tokens;
  std::array<Cell<int>, N> payload;
};

// The owner puts a task, another over it, and takes what is there, while a thief is about.
const ModelRegistration kThief{{
    .name = "lifo_slot/owner_and_thief",
    .claim =
        "each task is taken once, by a thread that sees what was written before it was put there",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 3, .spurious = 0},
    .body =
        [] {
          Scene<2> scene;
          platform::Thread thief("thief", [&] {
            scene.Take(scene.slot.TrySteal(1));
            scene.Take(scene.slot.TrySteal(1));
          });
          scene.Put(0);
          scene.Put(1);
          if (scene.slot.TryTakeBack(scene.tokens[1])) {
            scene.Take(scene.tokens[1]);
          }
          thief.Join();
          scene.tokens.CheckAllTaken();
        },
}};

const ModelRegistration kTwoThieves{{
    .name = "lifo_slot/owner_and_two_thieves",
    .claim = "a task that two thieves look at is taken once, by one of them or by the owner",
    .limits = {.preemptions = 3, .stale_reads = 2, .spurious = 0},
    .body =
        [] {
          Scene<2> scene;
          platform::Thread first("first", [&] { scene.Take(scene.slot.TrySteal(1)); });
          platform::Thread second("second", [&] { scene.Take(scene.slot.TrySteal(2)); });
          scene.Put(0);
          scene.Put(1);
          scene.Take(scene.slot.Take());
          first.Join();
          second.Join();
          scene.tokens.CheckAllTaken();
        },
}};

}  // namespace

}  // namespace schedbench::sim::lifo_slot_model

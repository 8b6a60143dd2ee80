// Models of the slot of a worker, open to thieves: schedulers/pool/lifo_slot.hpp.
#include "schedulers/pool/lifo_slot.hpp"

#include "tests/sim/models/support.hpp"

namespace schedbench::sim::lifo_slot_model {

namespace {

using executors::TaskBase;
using schedulers::LifoSlot;

// The owner puts a task, another over it, and takes what is there, while a thief is about.
const ModelRegistration kThief{{
    .name = "lifo_slot/owner_and_thief",
    .claim =
        "each task is taken once, by a thread that sees what was written before it was put there",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 3, .spurious = 0},
    .body =
        [] {
          LifoSlot slot(1, true);
          Tokens<2> tokens;
          std::array<Cell<int>, 2> payload;
          const auto take = [&](TaskBase* task) {
            if (task != nullptr) {
              Check(payload[NumberOf(task)].Read() == 1,
                    "a task comes before what was written before it");
              tokens.Take(task);
            }
          };
          platform::Thread thief("thief", [&] {
            take(slot.TrySteal(1));
            take(slot.TrySteal(1));
          });
          for (const std::size_t task : {0U, 1U}) {
            payload[task].Write(1);
            take(slot.Put(tokens[task]));
          }
          take(slot.Take());
          thief.Join();
          tokens.CheckAllTaken();
        },
}};

}  // namespace

}  // namespace schedbench::sim::lifo_slot_model

// Models of the queue that all workers share: schedulers/queues/global_queue.hpp.
#include "schedulers/queues/global_queue.hpp"

#include "tests/sim/models/support.hpp"

namespace schedbench::sim::global_queue_model {

namespace {

using executors::TaskBase;
using schedulers::GlobalQueue;
using schedulers::TaskList;

const ModelRegistration kExactlyOnce{{
    .name = "global_queue/push_append_pop_grab",
    .claim = "each task is taken exactly once, tasks of one thread in their order",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Tokens<4> tokens;
          GlobalQueue queue;
          platform::Thread producer("producer", [&] {
            TaskList batch;
            batch.PushBack(tokens[2]);
            batch.PushBack(tokens[3]);
            queue.Append(std::move(batch));
          });
          platform::Thread consumer("consumer", [&] {
            std::array<TaskBase*, 2> batch{};
            const std::size_t count = queue.Grab(batch, 1);
            for (std::size_t i = 0; i < count; ++i) {
              tokens.Take(batch[i]);
            }
            if (count == 2) {
              const bool same_thread = NumberOf(batch[0]) / 2 == NumberOf(batch[1]) / 2;
              Check(!same_thread || NumberOf(batch[0]) < NumberOf(batch[1]), "out of order");
            }
          });
          queue.Push(tokens[0]);
          queue.PushExternal(tokens[1]);
          if (TaskBase* task = queue.TryPop()) {
            tokens.Take(task);
          }
          producer.Join();
          consumer.Join();
          while (TaskBase* task = queue.TryPop()) {
            tokens.Take(task);
          }
          tokens.CheckAllTaken();
          Check(queue.Counts().IsEmpty(), "an empty queue does not say so");
          Check(queue.Counts().Pushed() == 4 && queue.Counts().Taken() == 4,
                "the counts are wrong");
          Check(queue.Counts().external.Submissions() == 1, "the count of outsiders is wrong");
        },
}};

const ModelRegistration kVisible{{
    .name = "global_queue/is_empty",
    .claim = "a thread that knows of a push sees the queue not empty until the task is taken",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Tokens<3> tokens;
          GlobalQueue queue;
          Atomic<std::uint32_t> known{0};
          platform::Thread looker("looker", [&] {
            // acquire: pairs with the release below.
            if (known.Load(memory_order_acquire) == 1) {
              Check(!queue.Counts().IsEmpty(), "a task that was pushed before is not seen");
              Check(queue.TryPop() == tokens[2], "a task that was pushed before cannot be taken");
            }
          });
          platform::Thread taker("taker", [&] { queue.TryPop(); });
          queue.Push(tokens[0]);
          queue.TryPop();
          taker.Join();
          queue.TryPop();
          queue.Push(tokens[2]);
          // release: pairs with the acquire above.
          known.Store(1, memory_order_release);
          looker.Join();
        },
}};

const ModelRegistration kNeverEmpty{{
    .name = "global_queue/never_empty",
    .claim = "a queue that was never empty since a push that is known of does not look so",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Tokens<3> tokens;
          GlobalQueue queue;
          queue.Push(tokens[0]);
          platform::Thread looker("looker", [&] {
            Check(!queue.Counts().IsEmpty(), "a queue that was never empty looks empty");
          });
          queue.Push(tokens[1]);
          queue.TryPop();
          queue.Push(tokens[2]);
          queue.TryPop();
          looker.Join();
        },
}};

// A yielder that stands behind what was pushed must not be let go before that is taken.
const ModelRegistration kPositions{{
    .name = "global_queue/positions",
    .claim = "when Taken has reached what Pushed was, all that was pushed before is taken",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Tokens<2> tokens;
          GlobalQueue queue;
          Atomic<std::uint32_t> taken{0};
          queue.Push(tokens[0]);
          platform::Thread taker("taker", [&] {
            for (int i = 0; i < 2; ++i) {
              if (queue.TryPop() != nullptr) {
                // relaxed: counted by the RMWs alone.
                taken.FetchAdd(1, memory_order_relaxed);
              }
            }
          });
          queue.Push(tokens[1]);
          const std::uint64_t position = queue.Counts().Pushed();
          Check(position >= 2, "an own push is not counted");
          Check(queue.Counts().Taken() <= 2, "more taken than pushed");
          taker.Join();
          Check(queue.Counts().Taken() == taken.Load(memory_order_relaxed),
                "a taken task is not counted");
        },
}};

}  // namespace

}  // namespace schedbench::sim::global_queue_model

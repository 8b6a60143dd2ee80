// The model of the counts of a global queue that is not first in, first out between threads:
// schedulers/queues/task_counts.hpp.
#include "schedulers/queues/task_counts.hpp"

#include "tests/sim/models/support.hpp"

namespace schedbench::sim::task_counts_model {

namespace {

const ModelRegistration kNewerIsTakenFirst{{
    .name = "task_counts/newer_is_taken_first",
    .claim =
        "a thread that saw a push never sees an empty queue while that task is queued, although a "
        "newer task was taken",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 4, .spurious = 0},
    .body =
        [] {
          schedulers::TaskCounts counts;
          Atomic<bool> newer_is_inside{false};
          counts.CountPushed(1);  // stays inside
          platform::Thread taker("taker", [&] {
            // acquire: pairs with the release below, as a pop does with its push.
            if (newer_is_inside.Load(memory_order_acquire)) {
              counts.CountTaken(1);
            }
          });
          platform::Thread looker(
              "looker", [&] { Check(!counts.IsEmpty(), "the queue is empty with a task inside"); });
          counts.CountPushed(1);
          // release: pairs with the acquire above.
          newer_is_inside.Store(true, memory_order_release);
          taker.Join();
          looker.Join();
        },
}};

}  // namespace

}  // namespace schedbench::sim::task_counts_model

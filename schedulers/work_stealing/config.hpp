#pragma once

#include "config/problems.hpp"
#include "schedulers/pool/fields.hpp"
#include "schedulers/pool/quiescence.hpp"
#include "schedulers/work_stealing/policies.hpp"

#include <cstdint>

namespace schedbench::schedulers::work_stealing {

template <FixedString Name, auto Default, FixedString Doc>
using Choice = config::Field<Name, Default, config::AnyOf{}, Doc>;

// clang-format off
template <PickOrder Default>
using PickOrderField = Choice<"pick_order", Default, "Order in which a worker looks for its next "
    "task: s0 (local, global, steal; the toucan report), s3 (local, steal, global; the Go article) "
    "or s4 (LIFO slot, local, global, steal; the Scalable Scheduler task)">;
template <YieldTo Default>
using YieldToField = Choice<"yield_to", Default,
    "Queue to whose tail a yielding task goes: global or local">;
using LocalQueueCapacity = fields::LocalQueueCapacityField<
    "Slots in the local queue of each worker (256 in Go and Tokio). A mutex queue has no limit; "
    "half of this value is then the most that a steal, fair_share or half_capacity takes">;
using NotifyField = Choice<"notify", NotifyMode::kOne,
    "Which workers a submit wakes: one (a parked one, unless a worker searches) or all_under_lock "
    "(all, under a lock that each submit takes)">;

// The config or the scheduler's name fixes the parts. Messages name only what a user can change.
enum class Parts : std::uint8_t { kChosen, kNamed };

// A steal_batch without a limit, as the names of the toucan report mean it; no user can choose it.
inline constexpr std::uint32_t kNoStealLimit = 0;

// The config of the scheduler `work_stealing`, in which every policy is free.
struct WorkStealingConfig {
  fields::Workers workers;
  Choice<"local_queue", LocalQueueKind::kRing, "Local queue: mutex (a list without a limit), lfab "
      "(an array with two indices), two_head (Tokio's ring) or ring (as in fast)"> local_queue;
  LocalQueueCapacity local_queue_capacity;
  Choice<"global_queue", GlobalQueueKind::kMutex,
      "Global queue: mutex (a list under a lock), lock_free (two stacks, one consumer at a time), "
      "auto (mutex for one worker, otherwise lock_free), moodycamel (moodycamel::ConcurrentQueue) "
      "or take_all (a stack that is taken whole; needs local_queue=mutex and global_grab=all)">
      global_queue;
  Choice<"steal", Steal::kHalf,
      "How many tasks a thief takes from the victim's queue: one or half"> steal;
  fields::StealBatch steal_batch;
  fields::VictimField victim;
  fields::GlobalGrabField global_grab;
  Choice<"overflow", Overflow::kHalf, "What a full local queue offloads to the global queue: one "
      "(the new task), half (the new task and half of the queue: the newer half of a ring, the "
      "older half of others) or older_half (the new task and the older half)"> overflow;
  PickOrderField<PickOrder::kS4> pick_order;
  fields::LifoLimit lifo_limit;
  YieldToField<YieldTo::kGlobal> yield_to;
  fields::GlobalPollPeriod global_poll_period;
  fields::MaxSearching max_searching;
  NotifyField notify;
  Choice<"wait_idle", QuiescenceCriterion::kTasks,
      "What WaitIdle waits for: tasks, fibers (also suspended ones), or shared_counter (tasks, "
      "counted in one counter of all workers, for comparison)"> wait_idle;
  fields::Stacks stacks;

  static void Check(const WorkStealingConfig& config, config::Problems& problems);
  // Checks the fields that the names of the toucan report leave free.
  static void CheckNumbers(const WorkStealingConfig& config, Parts parts,
                           config::Problems& problems);
};
// clang-format on

}  // namespace schedbench::schedulers::work_stealing

#pragma once

#include "config/problems.hpp"
#include "schedulers/pool/fields.hpp"
#include "schedulers/work_stealing/policies.hpp"

#include <cstdint>

namespace schedbench::schedulers::work_stealing {

template <FixedString Name, auto Default, FixedString Doc>
using Choice = config::Field<Name, Default, config::AnyOf{}, Doc>;

// clang-format off
template <PickOrder Default>
using PickOrderField = Choice<"pick_order", Default, "Where the next task comes from: s0 (local, global, steal), s3 (local, steal, global), s4 (LIFO slot, local, global, steal); documents 000, 003, 004">;
template <YieldTo Default>
using YieldToField = Choice<"yield_to", Default, "Where a task goes that yields: to the tail of the global or of the local queue">;
using LocalQueueCapacity = fields::LocalQueueCapacityField<"Slots in each worker's queue (256: Go, Tokio). A mutex queue has no limit: there half of this is the most that a steal takes, and a fair_share or half_capacity of the global queue">;
using NotifyField = Choice<"notify", NotifyMode::kOne, "Which workers a submit wakes: one (a parked one, if none searches) or all_under_lock (all, under one lock that each submit takes)">;

// What has chosen the parts: the config, or the scheduler's name. Messages name only what the user can change.
enum class Parts : std::uint8_t { kChosen, kNamed };

// As steal_batch: half of what is there, whatever its number. The names of document 000 say so; no user can choose it.
inline constexpr std::uint32_t kNoStealLimit = 0;

// Every policy free: the scheduler `work_stealing`.
struct WorkStealingConfig {
  fields::Workers workers;
  Choice<"local_queue", LocalQueueKind::kRing, "Each worker's queue: mutex (a list, no limit), lfab (array with two indices), two_head (Tokio's ring), ring (that of fast)"> local_queue;
  LocalQueueCapacity local_queue_capacity;
  Choice<"global_queue", GlobalQueueKind::kMutex, "The global queue: mutex (a list), lock_free (two stacks, one taker at a time), moodycamel (its ConcurrentQueue), take_all (a stack taken as a whole; needs local_queue=mutex and global_grab=all)"> global_queue;
  Choice<"steal", Steal::kHalf, "What a thief takes of another's queue: one task or half of them"> steal;
  fields::StealBatch steal_batch;
  fields::VictimField victim;
  fields::GlobalGrabField global_grab;
  Choice<"overflow", Overflow::kHalf, "What a full local queue gives to the global one, with the new task: one (nothing more), half (ring: the newer, others: the older) or older_half"> overflow;
  PickOrderField<PickOrder::kS4> pick_order;
  fields::LifoLimit lifo_limit;
  YieldToField<YieldTo::kGlobal> yield_to;
  fields::GlobalPollPeriod global_poll_period;
  fields::MaxSearching max_searching;
  NotifyField notify;
  fields::Stacks stacks;

  static void Check(const WorkStealingConfig& config, config::Problems& problems);
  // Of these the fields that the names of document 000 leave free.
  static void CheckNumbers(const WorkStealingConfig& config, Parts parts,
                           config::Problems& problems);
};
// clang-format on

}  // namespace schedbench::schedulers::work_stealing

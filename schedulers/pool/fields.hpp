#pragma once

#include "config/field.hpp"
#include "fibers/core/stack_config.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/victim_order.hpp"

#include <cstdint>

// Config fields that several schedulers have, each said once.
namespace schedbench::schedulers::fields {

// clang-format off
using Workers = config::Field<"workers", std::uint32_t{0}, config::Range{0U, Coordinator::kMaxWorkers}, "Worker threads; 0 = one per CPU that the process may use, at most 48">;
template <FixedString Doc>
using LocalQueueCapacityField = config::Field<"local_queue_capacity", std::uint32_t{256}, config::PowerOfTwo{2U, 65536U}, Doc>;
using LocalQueueCapacity = LocalQueueCapacityField<"Slots in each worker's queue (256: Go, Tokio)">;
using GlobalGrabField = config::Field<"global_grab", GrabSize::kFairShare, config::AnyOf{}, "What a worker takes from the global queue at a time: one task, fair_share (its share, at most half of local_queue_capacity), half_capacity (at most that half, whatever the others need) or all (that its own queue has room for)">;
using LifoLimit = config::Field<"lifo_limit", std::uint32_t{3}, config::Range{0U, 1000000U}, "Tasks run from the LIFO slot in a row while others wait in the queue; 0 = no slot (3: Tokio)">;
using GlobalPollPeriod = config::Field<"global_poll_period", std::uint32_t{61}, config::Range{1U, 1000000U}, "Every so many picks the global queue comes first (61: D. Vyukov, Go)">;
using StealBatch = config::Field<"steal_batch", std::uint32_t{128}, config::Range{1U, 32768U}, "Most tasks taken by one steal; never more than half of what is there, nor of local_queue_capacity">;
using MaxSearching = config::Field<"max_searching", std::uint32_t{0}, config::Range{0U, Coordinator::kMaxWorkers}, "While so many workers search, no other one starts to search by itself; 0 = half of the workers, rounded up. Workers that are woken for a task search in addition">;
using VictimField = config::Field<"victim", Victim::kRandom, config::AnyOf{}, "Which worker a thief tries first: random, round_robin (the next worker at each sweep), last_success (the last one that had tasks, then random) or nearest (by index, which is nearness only where workers are pinned)">;
using Stacks = config::Group<"stacks", fibers::StackConfig, "Stacks of the fibers">;
// clang-format on

}  // namespace schedbench::schedulers::fields

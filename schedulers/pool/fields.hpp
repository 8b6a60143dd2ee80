#pragma once

#include "config/field.hpp"
#include "fibers/core/stack_config.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/victim_order.hpp"

#include <cstdint>

// Config fields that several schedulers share.
namespace schedbench::schedulers::fields {

// clang-format off
using Workers = config::Field<"workers", 0U, config::Range{0U, Coordinator::kMaxWorkers},
    "Worker threads, at most 1024; 0 = one per CPU that the process may use">;
template <FixedString Doc>
using LocalQueueCapacityField =
    config::Field<"local_queue_capacity", 256U, config::PowerOfTwo{2U, 65536U}, Doc>;
using LocalQueueCapacity = LocalQueueCapacityField<
    "Slots in the local queue of each worker (256 in Go and Tokio)">;
using GlobalGrabField = config::Field<"global_grab", GrabSize::kFairShare, config::AnyOf{}, "How "
    "many tasks a worker takes from the global queue at a time: one, fair_share (the queued tasks "
    "divided by the workers, by 16 at most; at most half of local_queue_capacity), half_capacity "
    "(at most half of local_queue_capacity) or all (that its local queue has room for)">;
using LifoLimit = config::Field<"lifo_limit", 3U, config::Range{0U, 1000000U},
    "Most tasks that run from the LIFO slot in a row while others wait in the local queue; 0 = no "
    "slot (3 in Tokio)">;
using GlobalPollPeriod = config::Field<"global_poll_period", 61U, config::Range{1U, 1000000U},
    "A worker looks into the global queue first once in this many picks (61 in Go)">;
using StealBatch = config::Field<"steal_batch", 128U, config::Range{1U, 32768U},
    "Most tasks that one steal takes; it also takes at most half of the victim's queue and half of "
    "local_queue_capacity">;
using MaxSearching = config::Field<"max_searching", 0U, config::Range{0U, Coordinator::kMaxWorkers},
    "When this many workers search, no other worker starts to search; 0 = half of the workers, "
    "rounded up. Workers that were woken for a task search in addition">;
using VictimField = config::Field<"victim", Victim::kRandom, config::AnyOf{},
    "Which worker a thief tries first: random, round_robin (the next worker in each sweep), "
    "last_success (the last one that had tasks, then random) or nearest (by worker number)">;
using Stacks = config::Group<"stacks", fibers::StackConfig, "Stacks of the fibers">;
// clang-format on

}  // namespace schedbench::schedulers::fields

#pragma once

#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/threads/config.hpp"
#include "schedulers/threads/ready_tasks.hpp"

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::threads {

// The model 1:N of the Go article: one thread for everything. What its tasks submit goes to a plain
// list, which no other thread touches; external submissions go to the pool's queue. It has no
// parallelism, and no locked instruction between two fibers.
//
// Only external submissions and deadlines come at an uncontrolled time: a program that begins with
// one external submission, and waits for nothing but its own fibers, runs in the same order each
// time, with order=random in one order for each seed.
struct SingleThread {
  using Config = SingleThreadConfig;
  using LocalQueue = ReadyTasks;

  static constexpr const char* kThreadName = "single-";
  static constexpr bool kHasSlot = false;
  static constexpr bool kHasYieldQueue = false;
  static constexpr bool kForks = false;
  static constexpr bool kHandsOff = false;
  static constexpr bool kMayNotifyAll = false;
  static constexpr bool kMayShareCounter = false;

  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& /*config*/) {
    return std::make_unique<LockFreeGlobalQueue>();
  }

  static ReadyTasks MakeLocalQueue(const Config& config, std::uint64_t seed) {
    return ReadyTasks(config.order, seed);
  }

  static HandOffOptions HandOffOf(const Config& /*config*/) noexcept {
    return {};
  }

  static WorkerOptions OptionsOf(const Config& config) {
    return {.local_queue_capacity = 2,  // forked calls, of which there are none
            .yield_queue_capacity = 0,
            .yields_to_local = true,
            .lifo_limit = 0,
            .resumes_to_slot = false,
            .slot_is_open_to_thieves = false,
            .slot_wakes_thieves = false,
            .steals_from_slots = false,
            .slot_is_watched = false,
            .global_poll_period = config.global_poll_period,
            .polls_whole_queue = false,
            .grabs_whole_queue = false,
            .steals_first = false,
            .steals_whole_half = false,
            .global_grab = GrabOf(GrabSize::kOne, 2),
            .steal_batch = 1,
            .max_batch = 1,
            .overflow = Overflow::kOne,
            .victim = Victim::kRandom,
            .search_pause = {},
            .wait_idle = QuiescenceCriterion::kTasks,
            .notifies_all = false};
  }
};

static_assert(contracts::OrderedQueue<ReadyTasks>, "tasks that yield go last");

}  // namespace schedbench::schedulers::threads

#pragma once

#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/work_stealing/config.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

namespace schedbench::schedulers::work_stealing {

// The policies of `work_stealing`: any local queue, with a choice at each point where the toucan
// report, the Go article and the Scalable Scheduler task differ. The textbook scheduler that `fast`
// is compared with.
template <contracts::LocalQueue Queue>
struct PoolPolicies {
  using Config = WorkStealingConfig;
  using LocalQueue = Queue;

  static constexpr const char* kThreadName = "steal-";
  static constexpr bool kHasSlot = true;
  static constexpr bool kHasYieldQueue = false;
  static constexpr bool kForks = true;
  static constexpr bool kHandsOff = false;
  static constexpr bool kMayNotifyAll = true;
  static constexpr bool kMayShareCounter = true;

  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& config) {
    return schedulers::MakeGlobalQueue(config.global_queue, config.workers);
  }

  static Queue MakeLocalQueue(const Config& config, std::uint64_t /*seed*/) {
    return Queue(config.local_queue_capacity,
                 config.workers == 1U ? Sharing::kOwnerOnly : Sharing::kStealable);
  }

  static HandOffOptions HandOffOf(const Config& /*config*/) noexcept {
    return {};
  }

  static WorkerOptions OptionsOf(const Config& config) {
    const std::uint32_t capacity = config.local_queue_capacity;
    const GlobalGrab grab = GrabOf(config.global_grab, capacity);
    const bool steals_half = config.steal == Steal::kHalf;
    // A queue with slots never holds more than twice the half of its capacity.
    const std::uint32_t limit =
        config.steal_batch == kNoStealLimit ? capacity : config.steal_batch.value;
    return {.local_queue_capacity = capacity,
            .yield_queue_capacity = 0,
            .yields_to_local = config.yield_to == YieldTo::kLocal,
            .lifo_limit = config.pick_order == PickOrder::kS4 ? config.lifo_limit.value : 0U,
            .resumes_to_slot = false,
            .slot_is_open_to_thieves = false,
            .slot_wakes_thieves = false,
            .steals_from_slots = false,
            .slot_is_watched = false,
            .global_poll_period = config.global_poll_period,
            .polls_whole_queue = config.global_queue == GlobalQueueKind::kTakeAll,
            .grabs_whole_queue = kUnbounded && config.global_grab == GrabSize::kAll,
            .steals_first = config.pick_order == PickOrder::kS3,
            .steals_whole_half = kUnbounded && steals_half && config.steal_batch == kNoStealLimit,
            .global_grab = grab,
            .steal_batch = steals_half ? std::min(limit, capacity / 2) : 1U,
            .max_batch = std::max<std::size_t>(capacity / 2, grab.most),
            .overflow = config.overflow,
            .victim = config.victim,
            .search_pause = {},
            .wait_idle = config.wait_idle,
            .notifies_all = config.notify == NotifyMode::kAllUnderLock};
  }

 private:
  static constexpr bool kUnbounded = contracts::UnboundedQueue<Queue>;
};

}  // namespace schedbench::schedulers::work_stealing

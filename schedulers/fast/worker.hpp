#pragma once

#include "schedulers/fast/config.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

namespace schedbench::schedulers::fast {

// The policies of `fast`: rings, a LIFO slot and a yield queue. README.md has the reasons.
struct Policies {
  using Config = FastConfig;
  using LocalQueue = WorkStealingQueue;

  static constexpr const char* kThreadName = "fast-";
  static constexpr bool kHasSlot = true;
  static constexpr bool kHasYieldQueue = true;
  static constexpr bool kForks = true;
  static constexpr bool kHandsOff = true;
  static constexpr bool kMayNotifyAll = false;
  static constexpr bool kMayShareCounter = false;

  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const FastConfig& config) {
    return schedulers::MakeGlobalQueue(config.global_queue, config.workers);
  }

  static WorkStealingQueue MakeLocalQueue(const FastConfig& config, std::uint64_t /*seed*/) {
    return WorkStealingQueue(config.local_queue_capacity,
                             config.workers == 1U ? Sharing::kOwnerOnly : Sharing::kStealable);
  }

  static HandOffOptions HandOffOf(const FastConfig& config) noexcept {
    const bool hands_off = config.blocking == Blocking::kHandOff;
    const bool preempts = config.preempt != Preempt::kOff;
    const bool polls_net = config.netpoll != Netpoll::kThread;
    return {.is_on = hands_off || preempts || polls_net,
            .polls_net = polls_net,
            .ring = config.netpoll == Netpoll::kUring  ? UseOfRing::kYes
                    : config.netpoll == Netpoll::kAuto ? UseOfRing::kIfAvailable
                                                       : UseOfRing::kNo,
            .hands_off = hands_off,
            .signals = config.preempt == Preempt::kSignal,
            .time_slice = std::chrono::milliseconds(preempts ? config.time_slice_ms : 0U),
            .max_threads = config.max_threads,
            .keep_alive = std::chrono::seconds(config.idle_thread_s),
            .retake = std::chrono::microseconds(config.syscall_retake_us)};
  }

  static WorkerOptions OptionsOf(const FastConfig& config) {
    const std::uint32_t capacity = config.local_queue_capacity;
    const GlobalGrab grab = GrabOf(config.global_grab, capacity);
    // A batch holds half of a ring, or what a grab takes.
    const std::size_t ring = std::max(capacity, config.yield_queue_capacity.value);
    return {.local_queue_capacity = capacity,
            .yield_queue_capacity = config.yield_queue_capacity,
            .yields_to_local = false,
            .lifo_limit = config.lifo_limit,
            .resumes_to_slot = config.resume == Resume::kSlot,
            .slot_is_open_to_thieves = config.lifo_steal != LifoSteal::kNever && config.workers > 1,
            .slot_wakes_thieves = config.lifo_steal == LifoSteal::kWake,
            .steals_from_slots =
                config.lifo_steal == LifoSteal::kSearching || config.lifo_steal == LifoSteal::kWake,
            .slot_is_watched = config.lifo_steal == LifoSteal::kDelayed && config.workers > 1,
            .global_poll_period = config.global_poll_period,
            .polls_whole_queue = false,
            .grabs_whole_queue = false,
            .steals_first = false,
            .steals_whole_half = false,
            .global_grab = grab,
            .steal_batch = std::min(config.steal_batch.value, capacity / 2),
            .max_batch = std::max(ring / 2, grab.most),
            .overflow = Overflow::kHalf,
            .victim = config.victim,
            .search_pause = std::chrono::microseconds(config.search_pause_us),
            .wait_idle = config.wait_idle,
            .notifies_all = false};
  }
};

// The Scalable Scheduler: a fixed set of workers with a queue each, a global queue that evens them
// out, and work stealing. README.md describes the path of a task.
using ThreadPool = WorkerPool<Policies>;

}  // namespace schedbench::schedulers::fast

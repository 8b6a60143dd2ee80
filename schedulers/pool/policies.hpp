#pragma once

#include "fibers/core/stack_config.hpp"
#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/overflow.hpp"
#include "schedulers/pool/quiescence.hpp"
#include "schedulers/pool/victim_order.hpp"
#include "schedulers/queues/contracts.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace schedbench::schedulers {

// The policies of a pool that are numbers and choices. Each scheduler makes them from its config.
struct WorkerOptions {
  std::uint32_t local_queue_capacity;
  // Used with kHasYieldQueue. At most 1: tasks that yield go to the tail of the global queue.
  std::uint32_t yield_queue_capacity;
  bool yields_to_local;      // used without kHasYieldQueue; false: to the global queue
  std::uint32_t lifo_limit;  // 0: no LIFO slot
  bool resumes_to_slot;      // a fiber that is resumed without a hint goes to the slot
  bool slot_is_open_to_thieves;
  bool slot_wakes_thieves;  // a task that is alone in the slot wakes a worker
  bool steals_from_slots;   // a searching worker that finds nothing else takes from slots
  // An idle worker takes a task that waits for long; requires slot_is_open_to_thieves.
  bool slot_is_watched;
  std::uint32_t global_poll_period;
  bool polls_whole_queue;  // the poll takes all tasks; requires a local queue without a limit
  bool grabs_whole_queue;  // a grab takes all tasks; requires the same
  bool steals_first;       // before it grabs from the global queue
  bool steals_whole_half;  // without a limit; requires a local queue without a limit
  GlobalGrab global_grab;
  std::size_t steal_batch;
  std::size_t max_batch;  // most tasks that move between two queues at a time
  Overflow overflow;
  Victim victim;
  std::chrono::nanoseconds search_pause;  // before a search that follows short tasks; 0: none
  QuiescenceCriterion wait_idle;
  bool notifies_all;  // each submit wakes all workers, under one lock
};

// Whether a pool uses io_uring.
enum class UseOfRing : std::uint8_t {
  kNo,
  kIfAvailable,
  kYes,  // a warning reports once that the kernel refuses it
};

// How a pool hands off workers, and what its monitor does.
struct HandOffOptions {
  bool is_on = false;                     // workers change their threads
  bool polls_net = false;                 // its threads wait for the network
  UseOfRing ring = UseOfRing::kNo;        // other values require polls_net
  bool hands_off = false;                 // workers are also handed off for blocking calls
  bool signals = false;                   // the monitor interrupts fibers in the middle of code
  std::chrono::nanoseconds time_slice{};  // time after which a fiber is to yield; 0: never
  std::uint32_t max_threads = 0;
  std::chrono::nanoseconds keep_alive{};  // time after which an idle thread ends
  std::chrono::nanoseconds retake{};  // time after which a short call loses its worker; 0: never
};

namespace contracts {

// What a scheduler brings to a WorkerPool: a struct without state. Nothing has a default, so that a
// misspelt name does not compile; the compiler names the requirement that fails.
//
//  kThreadName       the first part of the names of the pool's threads
//  kHasSlot          a worker has a LIFO slot, unless the options say otherwise
//  kHasYieldQueue    tasks that yield wait in a queue of their worker, unless the options say
//                    otherwise
//  kForks            calls that fibers fork wait in a queue of their worker; otherwise each call is
//                    a fiber at once
//  kHandsOff         a worker may change its thread, as HandOffOf() says
//  kMayNotifyAll     WorkerOptions::notifies_all may be set
//  kMayShareCounter  WorkerOptions::wait_idle may be kSharedCounter
//  MakeLocalQueue()  is called once for each worker; all random choices of the queue follow from
//                    `seed`
template <typename P>
concept Policies = LocalQueue<typename P::LocalQueue> &&
                   requires(const typename P::Config& config, std::uint64_t seed) {
                     { P::kThreadName } -> std::convertible_to<const char*>;
                     { P::kHasSlot } -> std::same_as<const bool&>;
                     { P::kHasYieldQueue } -> std::same_as<const bool&>;
                     { P::kForks } -> std::same_as<const bool&>;
                     { P::kHandsOff } -> std::same_as<const bool&>;
                     { P::kMayNotifyAll } -> std::same_as<const bool&>;
                     { P::kMayShareCounter } -> std::same_as<const bool&>;
                     { P::HandOffOf(config) } -> std::same_as<HandOffOptions>;
                     { P::OptionsOf(config) } -> std::same_as<WorkerOptions>;
                     { P::MakeGlobalQueue(config) } -> std::same_as<std::unique_ptr<IGlobalQueue>>;
                     { P::MakeLocalQueue(config, seed) } -> std::same_as<typename P::LocalQueue>;
                     { config.workers } -> std::convertible_to<std::uint32_t>;
                     { config.max_searching } -> std::convertible_to<std::uint32_t>;
                     { config.stacks.value } -> std::convertible_to<fibers::StackConfig>;
                   };

// A local queue without a limit, from which a thief takes half as a list.
template <typename Queue>
concept UnboundedQueue = requires(Queue& queue, TaskList list) {
  { queue.Append(std::move(list)) } noexcept -> std::same_as<void>;
  { queue.GrabHalf() } noexcept -> std::same_as<TaskList>;
};

// A local queue with an order of its own, in which tasks that yield go last.
template <typename Queue>
concept OrderedQueue = requires(Queue& queue, TaskBase* task) {
  { queue.PushLast(task) } noexcept -> std::same_as<void>;
};

}  // namespace contracts

}  // namespace schedbench::schedulers

#pragma once

#include "config/field.hpp"
#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/overflow.hpp"
#include "schedulers/queues/make_global_queue.hpp"

#include <array>
#include <cstdint>
#include <string_view>

// Policies of the variants of the toucan report, the Go article and the Scalable Scheduler task.
namespace schedbench::schedulers::work_stealing {

// The local queues of schedulers/queues.
enum class LocalQueueKind : std::uint8_t { kMutex, kLFAB, kTwoHead, kRing };

constexpr std::array<std::string_view, 4> NamesOf(LocalQueueKind) {
  return {"mutex", "lfab", "two_head", "ring"};
}

// How many tasks a thief takes.
enum class Steal : std::uint8_t {
  kOne,
  kHalf,  // rounded up, at most steal_batch unless a name of the toucan report fixes it
};

constexpr std::array<std::string_view, 2> NamesOf(Steal) {
  return {"one", "half"};
}

// The order of sources of the next task. All begin with the periodic poll of the global queue.
enum class PickOrder : std::uint8_t {
  kS0,  // the toucan report: local queue, global queue, others' queues
  kS3,  // the Go article: local queue, others' queues, global queue
  kS4,  // the Scalable Scheduler task: LIFO slot, local queue, global queue, others' queues
};

constexpr std::array<std::string_view, 3> NamesOf(PickOrder) {
  return {"s0", "s3", "s4"};
}

// The queue to which a yielding task goes.
enum class YieldTo : std::uint8_t { kGlobal, kLocal };

constexpr std::array<std::string_view, 2> NamesOf(YieldTo) {
  return {"global", "local"};
}

// Which workers a submit wakes.
enum class NotifyMode : std::uint8_t {
  kOne,           // a parked worker, unless one searches; without a lock
  kAllUnderLock,  // all parked workers, under one lock of the pool that every submit takes
};

constexpr std::array<std::string_view, 2> NamesOf(NotifyMode) {
  return {"one", "all_under_lock"};
}

// The policies that the name of a variant fixes.
struct Policies {
  LocalQueueKind local_queue;
  GlobalQueueKind global_queue;
  Steal steal;
  GrabSize global_grab;
  Overflow overflow;
};

}  // namespace schedbench::schedulers::work_stealing

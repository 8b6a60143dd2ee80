#pragma once

#include "schedulers/queues/contracts.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace schedbench::schedulers {

// The global queues of this folder. kAuto: kMutex for one worker, otherwise kLockFree. kTakeAll is
// only taken as a whole.
enum class GlobalQueueKind : std::uint8_t { kAuto, kMutex, kLockFree, kMoodycamel, kTakeAll };

constexpr std::array<std::string_view, 5> NamesOf(GlobalQueueKind) {
  return {"auto", "mutex", "lock_free", "moodycamel", "take_all"};
}

// Makes an empty queue for a pool of `workers` workers.
std::unique_ptr<IGlobalQueue> MakeGlobalQueue(GlobalQueueKind kind, std::uint32_t workers);

}  // namespace schedbench::schedulers

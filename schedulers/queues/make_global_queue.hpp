#pragma once

#include "schedulers/queues/contracts.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace schedbench::schedulers {

// The global queues of this folder. kTakeAll is only taken as a whole.
enum class GlobalQueueKind : std::uint8_t { kMutex, kLockFree, kMoodycamel, kTakeAll };

constexpr std::array<std::string_view, 4> NamesOf(GlobalQueueKind) {
  return {"mutex", "lock_free", "moodycamel", "take_all"};
}

// Makes an empty queue.
std::unique_ptr<IGlobalQueue> MakeGlobalQueue(GlobalQueueKind kind);

}  // namespace schedbench::schedulers

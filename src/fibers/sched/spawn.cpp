#include "fibers/sched/spawn.hpp"

#include "platform/memory/safe_read.hpp"

namespace schedbench::fibers {

std::uint64_t JoinState::FiberOf(const JoinState* state) noexcept {
  std::uint64_t fiber = 0;
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&state->fiber), fiber);
  return fiber;
}

}  // namespace schedbench::fibers

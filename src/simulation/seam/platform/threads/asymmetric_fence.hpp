#pragma once

// Replaces src/platform/threads/asymmetric_fence.hpp in programs whose time is simulated.

#include "simulation/machine/machine.hpp"

namespace schedbench::platform {

inline void LightFence() noexcept {
}

inline void HeavyFence(sim_scaling::Place where = sim_scaling::Place::current()) noexcept {
  sim_scaling::Machine::Instance().HeavyFence(where);
}

}  // namespace schedbench::platform

#pragma once

// Replaces src/platform/threads/asymmetric_fence.hpp in programs whose time is simulated.

#include "simulation/machine/machine.hpp"

namespace schedbench::platform {

inline void LightFence() noexcept {
}

// Only its caller pays, not the cores that it interrupts.
inline void HeavyFence() noexcept {
  sim_scaling::Machine::Instance().HeavyFence();
}

}  // namespace schedbench::platform

#pragma once

// Stands in for src/platform/threads/asymmetric_fence.hpp on the simulated machine.

#include "tests/sim/machine/machine.hpp"

namespace schedbench::platform {

// Nothing that the machine does has to be kept from a compiler.
inline void LightFence() noexcept {
}

inline void HeavyFence(sim::Place where = sim::Place::current()) noexcept {
  sim::Machine::Instance().FenceAll(where);
}

}  // namespace schedbench::platform

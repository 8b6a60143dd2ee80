#pragma once

// Wraps src/metrics/task_times.hpp in programs whose time is simulated: tasks from outside are not
// timed, because their sampler would outlive a run.

#define StampExternal StampExternalAsShipped
#include "src/metrics/task_times.hpp"
#undef StampExternal

namespace schedbench::metrics {

inline void StampExternal(std::uint64_t& /*stamp*/, std::uint64_t /*seed*/) noexcept {
}

}  // namespace schedbench::metrics

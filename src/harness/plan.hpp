#pragma once

#include "config/settings.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::harness {

// One side of a workload whose other side is in another process.
struct HalfPlan {
  registry::Half half;
  std::string address;  // where the server listens, or the clients connect
};

// A run: one scheduler under one workload, a number of rounds.
struct RunPlan {
  const registry::SchedulerEntry* scheduler;
  config::Settings config;  // config of the scheduler; `workers` is at least 1
  const registry::WorkloadEntry* workload;
  config::Settings parameters;  // parameters of the workload
  std::uint32_t rounds = 20;    // measured, after the warm-up
  std::uint32_t warmup = 3;     // rounds whose metrics are thrown away
  std::uint64_t seed = 0;       // seed of all random choices
  // A run without any progress for this long has failed; 0: never.
  std::chrono::nanoseconds timeout{0};
  std::optional<HalfPlan> half = std::nullopt;  // none: the whole workload
};

// Returns how many rounds of `round_ns` each take `time` together, but at least `least`.
// Disturbances by other programs take milliseconds: shorter rounds do not have a stable median.
inline std::uint32_t RoundsIn(std::chrono::nanoseconds time, double round_ns, std::uint32_t least) {
  constexpr double kMost = 10'000;  // arbitrary
  const double rounds = static_cast<double>(time.count()) / std::max(round_ns, 1.0);
  return std::max(least, static_cast<std::uint32_t>(std::min(rounds, kMost)));
}

}  // namespace schedbench::harness

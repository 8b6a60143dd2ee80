#pragma once

#include "config/settings.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::harness {

// One side of a workload whose other side is in another process.
struct HalfPlan {
  registry::Half half;
  std::string address;  // at which the server listens, or to which the clients connect
};

// What to measure: one scheduler under one workload, a number of rounds.
struct RunPlan {
  const registry::SchedulerEntry* scheduler;
  config::Settings config;  // of the scheduler; `workers` is at least 1
  const registry::WorkloadEntry* workload;
  config::Settings parameters;                  // of the workload
  std::uint32_t rounds = 20;                    // measured, after the warm-up
  std::uint32_t warmup = 3;                     // rounds whose metrics are thrown away
  std::uint64_t seed = 0;                       // of all random choices
  std::chrono::nanoseconds timeout{0};          // without any progress the run has failed; 0: never
  std::optional<HalfPlan> half = std::nullopt;  // none: the whole workload
};

}  // namespace schedbench::harness

#pragma once

#include "harness/plan.hpp"
#include "harness/recorder.hpp"
#include "harness/watch_point.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace schedbench::harness {

// Called before a round: how many rounds of how many are done, warm-up included.
using Progress = std::function<void(std::uint32_t done, std::uint32_t of, bool warming_up)>;

// Gets the scheduler before the first round; it outlives the last call of Progress. May throw
// SetupError. If it or Progress throws, the scheduler ends before ExecutePlan() does: nothing may
// use it then.
using OnScheduler = std::function<void(registry::IScheduler&)>;

// Runs a plan on the calling thread: does the warm-up rounds and puts the measured ones into the
// recorder. Returns "" or what was wrong (RoundFailure). `watch` receives its steps. Throws
// SetupError.
std::string ExecutePlan(const RunPlan& plan, Recorder& recorder, const Progress& progress,
                        WatchPoint& watch, const OnScheduler& on_scheduler = {});

}  // namespace schedbench::harness

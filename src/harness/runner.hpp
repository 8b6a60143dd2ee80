#pragma once

#include "harness/plan.hpp"
#include "harness/recorder.hpp"
#include "harness/watch_point.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace schedbench::harness {

// A round is about to begin: how many of how many are done, warm-up included.
using Progress = std::function<void(std::uint32_t done, std::uint32_t of, bool warming_up)>;

// Gets the scheduler when it is made, before the first round; it lives until the last call of Progress, at least.
// May throw SetupError. If it or Progress throws, the scheduler ends before ExecutePlan() does: nothing may use it then.
using OnScheduler = std::function<void(registry::IScheduler&)>;

// Runs a plan on the calling thread: lets the warm-up rounds pass and puts the measured ones into the recorder. Returns
// "" or what was wrong (RoundFailure). `watch`: where it says what it is doing. Throws SetupError.
std::string ExecutePlan(const RunPlan& plan, Recorder& recorder, const Progress& progress,
                        WatchPoint& watch, const OnScheduler& on_scheduler = {});

}  // namespace schedbench::harness

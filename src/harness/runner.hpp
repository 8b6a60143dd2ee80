#pragma once

#include "harness/plan.hpp"
#include "harness/recorder.hpp"
#include "harness/watch_point.hpp"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace schedbench::harness {

// A round is about to begin: how many of how many are done, warm-up included.
using Progress = std::function<void(std::uint32_t done, std::uint32_t of, bool warming_up)>;

// The machine or the user's numbers do not allow the run: threads, memory.
class SetupError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs a plan on the calling thread: makes the scheduler and the workload, lets the warm-up rounds pass and
// puts the measured ones into the recorder. Returns "" or what was wrong: an answer, an exception of the
// workload; the scheduler and its threads are then left as they are, for a process that ends soon.
// `watch`: where it says what it is doing.
// Throws SetupError.
std::string ExecutePlan(const RunPlan& plan, Recorder& recorder, const Progress& progress,
                        WatchPoint& watch);

// Whether the calling thread is making the scheduler or the workload of a plan. Where memory runs out there, an
// exception tells best what it was for.
bool IsSettingUp() noexcept;

}  // namespace schedbench::harness

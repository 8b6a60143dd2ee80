#pragma once

#include "profile/graph_page.hpp"
#include "profile/sampling/sampler.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

// The views of a profile.

namespace schedbench::profile {

// Returns where the wall time of each worker went, in nanoseconds: under "worker N" its samples,
// "worker:asleep" for the time that it slept or was blocked in the kernel, and "worker:preempted"
// for the time that other threads had its CPU. Samples are stretched to the worker's CPU time, so
// that the sum is its time.
FoldedStacks WallTime(const StackProfile& profile, const std::vector<WorkerTime>& times);

// All that is known of a run, with names.
struct ProfiledRun {
  StackProfile cpu;      // samples of a Sampler
  StackProfile waiting;  // samples of a Census
  StackProfile ready;    // samples of a Census
  SamplingReport report;
  std::uint64_t period_ns = 0;  // time that a sample of `cpu` represents
};

// Returns the tabs of a page: CPU by fiber, waiting, queueing, by worker in wall time.
std::vector<Graph> GraphsOf(const ProfiledRun& run);

// A function and its share of the samples.
struct HotFrame {
  std::string name;
  double self = 0;   // share, 0 to 1
  double total = 0;  // share in it or in what it called
};

// Returns those with the largest `self`, the largest first.
std::vector<HotFrame> HottestFrames(const StackProfile& profile, std::size_t count);

}  // namespace schedbench::profile

#pragma once

#include "profile/graph_page.hpp"
#include "profile/sampling/sampler.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

// What a profile is looked at as.

namespace schedbench::profile {

// Where the wall time of each worker went, in nanoseconds: under "worker N" its samples, "worker:asleep" for the time that it
// slept or was blocked in the kernel, and "worker:preempted" for the time that other threads had its CPU. Samples are stretched to the CPU time that the
// worker has used, so that all of it adds up to the worker's time.
FoldedStacks WallTime(const StackProfile& profile, const std::vector<WorkerTime>& times);

// All that is known of a run, with names.
struct ProfiledRun {
  StackProfile cpu;      // samples of a Sampler
  StackProfile waiting;  // of a Census
  StackProfile ready;    // likewise
  SamplingReport report;
  std::uint64_t period_ns = 0;  // that a sample of `cpu` stands for
};

// The tabs of a page: CPU by fiber, waiting, queueing, by worker in wall time.
std::vector<Graph> GraphsOf(const ProfiledRun& run);

// A function, and what part of the samples ended in it.
struct HotFrame {
  std::string name;
  double self = 0;   // share, 0 to 1
  double total = 0;  // in it or in what it called
};

// Those with the largest `self`, largest first.
std::vector<HotFrame> HottestFrames(const StackProfile& profile, std::size_t count);

}  // namespace schedbench::profile

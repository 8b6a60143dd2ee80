#pragma once

#include "harness/machine/activity.hpp"
#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// What else ran while something was measured, on the CPUs that this process and its agents may use.
struct Disturbance {
  double steal_share = 0;      // of the CPU time, taken by others on the host
  double others_share = 0;     // likewise, by programs that are no part of the measurement
  std::string busiest;         // of these; "" for none
  std::int64_t throttled = 0;  // periods in which the cgroup had used up its quota

  // Whether it is enough to be seen in results.
  bool IsSignificant() const;
};

// "other programs took 34 % of the CPU time (cc1plus)". Requires: IsSignificant().
std::string ToText(const Disturbance& disturbance);

// `agents`: the process groups that are measured, what they have started included. Pure.
Disturbance DisturbanceOf(const Activity& activity, const std::vector<std::int64_t>& agents);

// In a shorter window, one or two of the kernel's ticks of 10 ms would be a significant share.
inline constexpr double kShortestWindowSeconds = 0.05;

// Finds out what else ran on the machine while something was measured. Used by one thread.
class DisturbanceWatch {
 public:
  DisturbanceWatch()
      : before_(ReadActivity(files_)) {
  }

  // Starts a new window, unless the last one was too short to be judged: that one continues, so that many short measurements
  // are judged together.
  void Begin();

  // What has disturbed those processes, and those of the earlier measurements of the window, since the window began.
  Disturbance Look(const std::vector<std::int64_t>& agents);

 private:
  const platform::MachineFiles files_;
  ActivityReading before_;
  std::vector<std::int64_t> agents_;
  bool is_judged_ = false;
};

}  // namespace schedbench::harness

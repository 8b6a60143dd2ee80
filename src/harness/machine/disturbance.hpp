#pragma once

#include "harness/machine/activity.hpp"
#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// Other activity during a measurement on the CPUs of this process and its agents.
struct Disturbance {
  double steal_share = 0;      // CPU time share that others on the host took
  double others_share = 0;     // CPU time share of programs outside of the measurement
  std::string busiest;         // the busiest of these programs; "" for none
  std::int64_t throttled = 0;  // periods in which the cgroup had used up its quota

  // Returns whether it is large enough to show in results.
  bool IsSignificant() const;
};

// Returns "other programs took 34 % of the CPU time (cc1plus)". Requires: IsSignificant().
std::string ToText(const Disturbance& disturbance);

// Returns the disturbance in an activity. `agents`: process groups, with their children. Pure.
Disturbance DisturbanceOf(const Activity& activity, const std::vector<std::int64_t>& agents);

// In a shorter window, one or two of the kernel's ticks of 10 ms would be a significant share.
inline constexpr double kShortestWindowSeconds = 0.05;

// Finds out what disturbed a measurement on the machine. One thread uses it.
class DisturbanceWatch {
 public:
  DisturbanceWatch()
      : before_(ReadActivity(files_)) {
  }

  // Starts a new window. A window that was too short to be judged continues, so that many short
  // measurements are judged together.
  void Begin();

  // Returns the disturbance of these processes and the window's earlier ones since it began.
  Disturbance Look(const std::vector<std::int64_t>& agents);

 private:
  const platform::MachineFiles files_;
  ActivityReading before_;
  std::vector<std::int64_t> agents_;
  bool is_judged_ = false;
};

}  // namespace schedbench::harness

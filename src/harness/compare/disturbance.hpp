#pragma once

#include "harness/machine/activity.hpp"
#include "platform/machine/machine_files.hpp"

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

// Looks at the machine when it is made, and again.
class DisturbanceWatch {
 public:
  DisturbanceWatch()
      : before_(ReadActivity(files_)) {
  }

  // What has disturbed those processes since then.
  Disturbance Look(const std::vector<std::int64_t>& agents) const {
    return DisturbanceOf(Between(before_, ReadActivity(files_)), agents);
  }

 private:
  const platform::MachineFiles files_;
  const ActivityReading before_;
};

}  // namespace schedbench::harness

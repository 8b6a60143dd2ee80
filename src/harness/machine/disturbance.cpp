#include "harness/machine/disturbance.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::harness {

namespace {

// A CPU that is taken away now and then changes medians by about this share.
constexpr double kMaxSteal = 0.02;
// The kernel's ticks make a process that has hardly run seem to use 10 ms.
constexpr double kMaxOthers = 0.1;

double Percent(double share) {
  return 100 * share;
}

}  // namespace

bool Disturbance::IsSignificant() const {
  return steal_share > kMaxSteal || others_share > kMaxOthers || throttled > 0;
}

std::string ToText(const Disturbance& disturbance) {
  if (disturbance.throttled > 0) {
    return fmt::format("the cgroup's quota of CPU time was used up {} time{}",
                       disturbance.throttled, disturbance.throttled == 1 ? "" : "s");
  }
  if (disturbance.others_share > kMaxOthers) {
    return fmt::format(
        "other programs took {:.0f} % of the CPU time{}", Percent(disturbance.others_share),
        disturbance.busiest.empty() ? "" : fmt::format(" ({})", disturbance.busiest));
  }
  return fmt::format("others on the host took {:.1f} % of the CPU time",
                     Percent(disturbance.steal_share));
}

Disturbance DisturbanceOf(const Activity& activity, const std::vector<std::int64_t>& agents) {
  Disturbance disturbance;
  disturbance.throttled = activity.throttled.value_or(0);
  if (activity.window_seconds < kShortestWindowSeconds) {
    return disturbance;
  }
  disturbance.steal_share = activity.steal_share_allowed.value_or(0);
  double others = 0;
  for (const Activity::Process& process : activity.processes) {
    if (!process.elsewhere && std::ranges::find(agents, process.group) == agents.end()) {
      others += process.cpus;
      if (disturbance.busiest.empty()) {
        disturbance.busiest = process.name;  // the busiest processes come first
      }
    }
  }
  if (activity.hidden_cpus > 0 && activity.hidden_cpus >= others) {
    disturbance.busiest = "not visible here, or ended";
  }
  others += activity.hidden_cpus;
  // Limit it to what was used at all: on which CPU a process ran is known of the last moment only.
  disturbance.others_share = std::min(others / static_cast<double>(activity.allowed_cpus),
                                      activity.busy_share_allowed.value_or(1));
  return disturbance;
}

void DisturbanceWatch::Begin() {
  if (is_judged_) {
    before_ = ReadActivity(files_);
    agents_.clear();
    is_judged_ = false;
  }
}

Disturbance DisturbanceWatch::Look(const std::vector<std::int64_t>& agents) {
  agents_.insert(agents_.end(), agents.begin(), agents.end());
  ActivityReading now = ReadActivity(files_);
  const Activity activity = Between(before_, now);
  is_judged_ = activity.window_seconds >= kShortestWindowSeconds;
  before_.throttled = now.throttled;  // each period counts for one measurement
  return DisturbanceOf(activity, agents_);
}

}  // namespace schedbench::harness

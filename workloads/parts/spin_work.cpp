#include "workloads/parts/spin_work.hpp"

#include "platform/time/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace schedbench::workloads {

SpinWork::SpinWork(std::uint64_t ns)
    : steps_(ns == 0 ? 0
                     : static_cast<std::uint64_t>(
                           std::max(1.0, std::round(static_cast<double>(ns) * StepsPerNs())))) {
}

double SpinWork::StepsPerNs() {
  static const double steps_per_ns = [] {
    // The fastest of many short trials: one without an interruption and at the full frequency of the core.
    constexpr int kTrials = 50;
    constexpr SpinWork kTrial(InSteps{20000});
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < kTrials; ++i) {
      const std::uint64_t start = platform::NowNs();
      kTrial.Do();
      best = std::min(best, platform::NowNs() - start);
    }
    return static_cast<double>(kTrial.Steps()) /
           static_cast<double>(std::max<std::uint64_t>(best, 1));
  }();
  return steps_per_ns;
}

}  // namespace schedbench::workloads

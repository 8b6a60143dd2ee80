#include "workloads/parts/spin_work.hpp"

#include "platform/time/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace schedbench::workloads {

namespace {

// Returns the fastest of many short trials: uninterrupted at full frequency. At least 1.
double FastestNs(void (*trial)()) {
  constexpr int kTrials = 50;
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kTrials; ++i) {
    const std::uint64_t start = platform::NowNs();
    trial();
    best = std::min(best, platform::NowNs() - start);
  }
  return static_cast<double>(std::max<std::uint64_t>(best, 1));
}

}  // namespace

SpinWork::SpinWork(std::uint64_t ns)
    : steps_(ns == 0 ? 0
                     : static_cast<std::uint64_t>(
                           std::max(1.0, std::round(static_cast<double>(ns) * StepsPerNs())))) {
}

SpinWork SpinWork::Lasting(double ns) {
  constexpr double kMost = 1e17;  // some years; a time may be any number
  const double steps = std::round(1 + (ns - LeastNs()) * StepsPerNs());
  return SpinWork(InSteps{static_cast<std::uint64_t>(std::clamp(steps, 1.0, kMost))});
}

double SpinWork::LeastNs() {
  static const double least_ns = [] {
    constexpr int kWorks = 1000;
    static constexpr SpinWork kLeast(InSteps{1});
    return FastestNs([] {
             for (int i = 0; i < kWorks; ++i) {
               kLeast.Do();
             }
           }) /
           kWorks;
  }();
  return least_ns;
}

double SpinWork::Ns() const {
  return steps_ == 0 ? 0 : LeastNs() + static_cast<double>(steps_ - 1) / StepsPerNs();
}

double SpinWork::StepsPerNs() {
  static const double steps_per_ns = [] {
    static constexpr SpinWork kTrial(InSteps{20000});
    return static_cast<double>(kTrial.Steps()) / FastestNs([] { kTrial.Do(); });
  }();
  return steps_per_ns;
}

}  // namespace schedbench::workloads

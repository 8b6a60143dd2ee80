#include "simulation/costs.hpp"

#include <algorithm>
#include <cmath>

namespace sim_scaling {

double Costs::ResumeNs(std::size_t turns) const noexcept {
  const std::size_t inside = std::clamp(turns, kResumeTurns.front(), kResumeTurns.back());
  std::size_t i = 0;
  while (inside > kResumeTurns[i + 1]) {
    ++i;
  }
  const auto log = [](std::size_t count) { return std::log2(static_cast<double>(count)); };
  const double part =
      (log(inside) - log(kResumeTurns[i])) / (log(kResumeTurns[i + 1]) - log(kResumeTurns[i]));
  return resume[i] + part * (resume[i + 1] - resume[i]);
}

}  // namespace sim_scaling

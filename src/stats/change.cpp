#include "stats/change.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace schedbench::stats {

Change Judge(const RatioEstimate& estimate, double min_effect) {
  SB_ASSERT(min_effect > 0, "no effect is too small to matter");
  const double top = 1 + min_effect;
  const double bottom = 1 / top;
  if (estimate.low > top) {
    return Change::kRise;
  }
  if (estimate.high < bottom) {
    return Change::kFall;
  }
  if (bottom <= estimate.low && estimate.high <= top) {
    return Change::kNone;
  }
  if (estimate.low > 1) {
    return Change::kSlightRise;
  }
  if (estimate.high < 1) {
    return Change::kSlightFall;
  }
  return Change::kInconclusive;
}

std::size_t PairsToResolve(const RatioEstimate& estimate, double min_effect, std::size_t pairs) {
  SB_ASSERT(min_effect > 0, "no effect is too small to matter");
  const double band = std::log1p(min_effect);
  const double middle = std::abs(std::log(estimate.ratio));
  // The interval may be skewed: its longer side decides.
  const double half_width = std::max(std::log(estimate.high) - std::log(estimate.ratio),
                                     std::log(estimate.ratio) - std::log(estimate.low));
  // Half of such a width leaves out 1, the other half the nearer side of the band.
  const double wanted = std::max(middle, band - middle);
  const double shrink = half_width / wanted;
  return static_cast<std::size_t>(std::ceil(static_cast<double>(pairs) * shrink * shrink));
}

}  // namespace schedbench::stats

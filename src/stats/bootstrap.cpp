#include "stats/bootstrap.hpp"

#include "base/assert.hpp"
#include "base/random_choice.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace schedbench::stats {

namespace {

// Draws samples from another one, in one buffer.
class Resampler {
 public:
  explicit Resampler(std::span<const double> sample)
      : sample_(sample),
        drawn_(sample.size()) {
    SB_ASSERT(!sample.empty(), "a sample without values");
    SB_ASSERT(std::ranges::all_of(sample, [](double x) { return x > 0 && std::isfinite(x); }),
              "only positive values have a ratio");
  }

  // Returns the median of a fresh draw in linear time; Median() sorts, and this runs 20,000 times.
  double DrawMedian(RandomChoice& random) {
    for (double& x : drawn_) {
      x = sample_[random.Below(static_cast<std::uint32_t>(sample_.size()))];
    }
    const auto middle = drawn_.begin() + static_cast<std::ptrdiff_t>(drawn_.size() / 2);
    std::nth_element(drawn_.begin(), middle, drawn_.end());
    if (drawn_.size() % 2 == 1) {
      return *middle;
    }
    return (*middle + *std::max_element(drawn_.begin(), middle)) / 2;
  }

 private:
  std::span<const double> sample_;
  std::vector<double> drawn_;
};

}  // namespace

RatioEstimate RatioOfMedians(std::span<const double> a, std::span<const double> b, double level,
                             std::uint64_t seed, std::size_t resamples) {
  SB_ASSERT(level > 0 && level < 1, "a confidence level lies between 0 and 1");
  SB_ASSERT(resamples >= 1, "no resample");
  Resampler of_a(a);
  Resampler of_b(b);
  RandomChoice random(seed);
  std::vector<double> ratios(resamples);
  for (double& ratio : ratios) {
    const double median_of_a = of_a.DrawMedian(random);
    ratio = of_b.DrawMedian(random) / median_of_a;
  }
  const double ratio = Median(b) / Median(a);
  const double tail = (1 - level) / 2;
  // The ratio itself belongs to its interval, also with few resamples.
  return {.ratio = ratio,
          .low = std::min(ratio, Quantile(ratios, tail)),
          .high = std::max(ratio, Quantile(ratios, 1 - tail))};
}

}  // namespace schedbench::stats

#pragma once

#include "stats/ratio.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::stats {

// Returns median(b) / median(a) of two samples that were not measured side by side, with the
// percentile bootstrap's interval: the quantiles of the ratio of `resamples` samples drawn with
// replacement from these. The same seed gives the same result. The ratio includes all changes
// between the two measurements, also of the machine. Source: B. Efron, R. J. Tibshirani, "An
// Introduction to the Bootstrap" (1993), chapter 13. BCa, its successor, is not for medians: its
// jackknife does not converge there. Thread-safe. Requires: neither is empty, positive and finite
// values, 0 < level < 1, resamples >= 1.
RatioEstimate RatioOfMedians(std::span<const double> a, std::span<const double> b, double level,
                             std::uint64_t seed, std::size_t resamples = 10'000);

}  // namespace schedbench::stats

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Changes of level in a series. Pure functions; thread-safe.

namespace schedbench::stats {

struct ChangePoint {
  std::size_t at;  // the first value of the new level
  double p;        // p-value of the permutation test that found it
};

// A change needs this many values on each side: a single deviating value is an outlier.
inline constexpr std::size_t kLeastSegment = 2;

// Finds the changes of level in a series by binary segmentation, in their order.
//
// For each split k of a segment of n values the statistic is the sum of the ranks of the first k
// values, centred, divided by sqrt(k (n - k)): proportional to its standard deviation. If a
// permutation test of the largest statistic is significant, there is a change, at the split with
// the least distance of all values from the medians of the two parts. Then both parts are searched,
// each at half of the level. At the end each change is tested again between its neighbours, where
// it is moved or removed (C. Inclan, G. C. Tiao, 1994): the first split of a series with several
// changes is not always at one of them. Ranks need no distribution; equal values share their mean
// rank.
//
// If the values of a series without a change are exchangeable (for example independent and of one
// distribution), the probability of any change in the result is at most `alpha`: the test is exact,
// also with the drawn permutations, because the series counts as one of them. Next to a real
// change, false ones of each further part add up to at most `alpha`. Values that resemble their
// neighbours are not exchangeable: see LooksDependent() (suspicion.hpp). The same seed gives the
// same result. Takes O(n^2) time if there is a change. Requires: no NaN, 0 < alpha < 1.
std::vector<ChangePoint> ChangePoints(std::span<const double> series, double alpha,
                                      std::uint64_t seed);

// Returns the least number of values in which a change can be found at this level: the share of the
// most extreme orders of n values is at most alpha. In such a series it is found only in the
// middle. It is 10 for 0.01. Requires: 0 < alpha < 1.
std::size_t SmallestSeriesWithChange(double alpha);

}  // namespace schedbench::stats

#pragma once

#include <cstddef>
#include <span>
#include <vector>

// What makes a series of measurements doubtful. It is reported and never fixed by leaving values out. Pure functions;
// thread-safe; values in the order in which they were measured; no NaN.

namespace schedbench::stats {

// Returns the places of the values that lie more than 14.8 median absolute deviations from the median: 10 standard
// deviations, if they were normal; hyperfine's limit. None where more than half of the values are equal.
// Requires: the series is not empty.
std::vector<std::size_t> Outliers(std::span<const double> series);

// Returns the correlation of each value with the one before, -1 to 1; 0 of a series that is too short (below 3) or
// constant.
double Lag1Correlation(std::span<const double> series);

// Returns whether that is more than chance explains: above 2 / sqrt(n), as it is in 2 to 3 % of independent series. Then an
// interval that assumes independence is too narrow. (One that alternates makes it too wide, which is harmless.)
bool LooksDependent(std::span<const double> series);

// Returns by how much each value is like the one before, 0 to 0.95, for the intervals of such a series: 0 where it does
// not look dependent, else Lag1Correlation() without its bias, which is (1 + 4 c) / n of a series whose mean is not known
// either (M. G. Kendall, F. H. C. Marriott, J. A. Pope, 1954).
double Dependence(std::span<const double> series);

}  // namespace schedbench::stats

#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Indications of a doubtful series of measurements. They are reported and never fixed by leaving
// values out. Pure functions; thread-safe. The values are in the order of measurement, without NaN.

namespace schedbench::stats {

// Returns the indexes of values more than 14.8 median absolute deviations from the median: 10
// standard deviations of a normal distribution; hyperfine's limit. Returns none if more than half
// of the values are equal. Requires: the series is not empty.
std::vector<std::size_t> Outliers(std::span<const double> series);

// Returns the correlation of each value with the one before, -1 to 1; 0 for a series that is
// constant or shorter than 3.
double Lag1Correlation(std::span<const double> series);

// Returns whether Lag1Correlation() exceeds chance: above 2 / sqrt(n), as in 2 to 3 % of
// independent series. Then intervals that assume independence are too narrow. (An alternating
// series makes them too wide, which is harmless.)
bool LooksDependent(std::span<const double> series);

// Returns how much each value is like the one before, 0 to 0.95, for the intervals of such a
// series: 0 if it does not look dependent, otherwise Lag1Correlation() without its bias, which is
// (1 + 4 c) / n for a series of unknown mean (M. G. Kendall, F. H. C. Marriott, J. A. Pope, 1954).
double Dependence(std::span<const double> series);

}  // namespace schedbench::stats

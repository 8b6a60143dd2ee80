#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// Where the differences between values come from that do not fill a grid, such as those of a Latin hypercube. Pure
// functions; thread-safe.

namespace schedbench::stats {

// A cause of differences: each value belongs to one of its levels.
struct AdditiveFactor {
  std::size_t levels;
  bool is_ordered;                 // the model is a parabola in the level, else a constant for each
  std::vector<std::size_t> level;  // of each value
};

struct AdditiveVariance {
  std::vector<double> shares;  // of each factor, 0 to 1 of the variance that is not noise
  double rest = 0;             // likewise, of what the sum of the factors does not explain
  double noise = 0;            // 0 to 1: of all variance, what noise alone explains
  bool has_curves =
      true;  // false: values are too few for parabolas, and ordered factors are straight lines
};

// Returns the analysis of variance of the model "the sum of an effect of each factor", fitted by least squares. The
// part of a factor is what the sum of squares grows by without it; a factor with d coefficients contains on average d
// times the noise, which is subtracted; a negative rest is 0. If nothing but noise is left, all shares are 0. None if
// there are not at least two values more than coefficients. `noise_variance`: of one value. Requires: a level of each
// factor for each value; all values finite.
std::optional<AdditiveVariance> VarianceOfAdditive(std::span<const AdditiveFactor> factors,
                                                   std::span<const double> values,
                                                   double noise_variance);

}  // namespace schedbench::stats

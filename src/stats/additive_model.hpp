#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// The causes of the differences between values that do not fill a grid, such as those of a Latin
// hypercube. Pure functions; thread-safe.

namespace schedbench::stats {

// A cause of differences: each value belongs to one of its levels.
struct AdditiveFactor {
  std::size_t levels;
  bool is_ordered;  // the model is a parabola in the level, otherwise a constant for each
  std::vector<std::size_t> level;  // level of each value
};

struct AdditiveVariance {
  std::vector<double> shares;  // share of each factor, 0 to 1 of the variance that is not noise
  double rest = 0;             // the same share for what the sum of the factors does not explain
  double noise = 0;            // 0 to 1: the share of all variance that noise alone explains
  // False if there are too few values for parabolas: ordered factors are then straight lines.
  bool has_curves = true;
};

// Returns the analysis of variance of the model "the sum of an effect of each factor", fitted by
// least squares. The part of a factor is the growth of the sum of squares without it. A factor with
// d coefficients contains on average d times the noise, which is subtracted; a negative rest is 0.
// If only noise is left, all shares are 0. Returns nothing unless there are at least two values
// more than coefficients. `noise_variance`: of one value. Requires: all levels for each value;
// finite values.
std::optional<AdditiveVariance> VarianceOfAdditive(std::span<const AdditiveFactor> factors,
                                                   std::span<const double> values,
                                                   double noise_variance);

}  // namespace schedbench::stats

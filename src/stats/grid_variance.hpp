#pragma once

#include <cstddef>
#include <span>
#include <vector>

// The causes of the differences between the values of a full grid. Pure functions; thread-safe.

namespace schedbench::stats {

// The variance that one factor explains, or two together beyond each alone.
struct GridEffect {
  std::vector<std::size_t> factors;  // one or two, ascending
  double share;                      // 0 to 1 of the variance that is not noise
};

struct GridVariance {
  std::vector<GridEffect> effects;  // effects of each factor, then of each pair
  double higher = 0;                // the share of all three-way and larger interactions
  double noise = 0;                 // 0 to 1: the share of all variance that noise alone explains
};

// Returns the analysis of variance of a full grid with one value in each cell (functional ANOVA).
// `levels`: the number of values of each factor; `values`: by cell, the last factor fastest.
// `noise_variance`: of one value. An effect with d degrees of freedom contains on average d times
// the noise, which is subtracted; a negative rest is 0. If only noise is left, all shares are 0.
// Requires: no level is 0; a finite value per cell.
GridVariance VarianceOfGrid(std::span<const std::size_t> levels, std::span<const double> values,
                            double noise_variance);

}  // namespace schedbench::stats

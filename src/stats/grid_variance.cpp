#include "stats/grid_variance.hpp"

#include <algorithm>
#include <numeric>

namespace schedbench::stats {

namespace {

class Grid {
 public:
  Grid(std::span<const std::size_t> levels, std::span<const double> values)
      : levels_(levels),
        values_(values),
        mean_(std::accumulate(values.begin(), values.end(), 0.0) /
              static_cast<double>(values.size())) {
  }

  // Returns the sum of squares of all values around the mean of all.
  double Total() const {
    double sum = 0;
    for (const double value : values_) {
      sum += (value - mean_) * (value - mean_);
    }
    return sum;
  }

  // Returns the sum of squares of the means of one or two factors around the mean of all.
  double Between(const std::vector<std::size_t>& factors) const {
    std::size_t groups = 1;
    for (const std::size_t factor : factors) {
      groups *= levels_[factor];
    }
    std::vector<double> sums(groups, 0);
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
      sums[GroupOf(cell, factors)] += values_[cell];
    }
    const double in_each = static_cast<double>(values_.size()) / static_cast<double>(groups);
    double sum = 0;
    for (const double of_group : sums) {
      const double deviation = of_group / in_each - mean_;
      sum += in_each * deviation * deviation;
    }
    return sum;
  }

  double Freedom(const std::vector<std::size_t>& factors) const {
    double freedom = 1;
    for (const std::size_t factor : factors) {
      freedom *= static_cast<double>(levels_[factor] - 1);
    }
    return freedom;
  }

 private:
  std::size_t GroupOf(std::size_t cell, const std::vector<std::size_t>& factors) const {
    std::vector<std::size_t> place(levels_.size());
    for (std::size_t i = levels_.size(); i-- > 0;) {
      place[i] = cell % levels_[i];
      cell /= levels_[i];
    }
    std::size_t group = 0;
    for (const std::size_t factor : factors) {
      group = group * levels_[factor] + place[factor];
    }
    return group;
  }

  const std::span<const std::size_t> levels_;
  const std::span<const double> values_;
  const double mean_;
};

}  // namespace

GridVariance VarianceOfGrid(std::span<const std::size_t> levels, std::span<const double> values,
                            double noise_variance) {
  const Grid grid(levels, values);
  const double total = grid.Total();
  const double freedom = static_cast<double>(values.size()) - 1;
  GridVariance result;
  if (total <= 0) {
    for (std::size_t a = 0; a < levels.size(); ++a) {
      result.effects.push_back({.factors = {a}, .share = 0});
    }
    return result;
  }
  result.noise = std::min(freedom * noise_variance / total, 1.0);
  double rest = total;
  double rest_freedom = freedom;
  std::vector<double> alone;
  const auto add = [&](std::vector<std::size_t> factors, double squares) {
    const double own = grid.Freedom(factors);
    rest -= squares;
    rest_freedom -= own;
    result.effects.push_back(
        {.factors = std::move(factors), .share = std::max(squares - own * noise_variance, 0.0)});
  };
  for (std::size_t a = 0; a < levels.size(); ++a) {
    alone.push_back(grid.Between({a}));
    add({a}, alone.back());
  }
  for (std::size_t a = 0; a < levels.size(); ++a) {
    for (std::size_t b = a + 1; b < levels.size(); ++b) {
      add({a, b}, std::max(grid.Between({a, b}) - alone[a] - alone[b], 0.0));
    }
  }
  // Rounding leaves about 1e-16 of the total if there is no larger interaction.
  result.higher = rest_freedom > 0.5 && rest > 1e-12 * total
                      ? std::max(rest - rest_freedom * noise_variance, 0.0)
                      : 0;
  double signal = result.higher;
  for (const GridEffect& effect : result.effects) {
    signal += effect.share;
  }
  if (signal <= 1e-12 * total) {
    signal = 1;
    result.higher = 0;
    for (GridEffect& effect : result.effects) {
      effect.share = 0;
    }
  }
  for (GridEffect& effect : result.effects) {
    effect.share /= signal;
  }
  result.higher /= signal;
  return result;
}

}  // namespace schedbench::stats

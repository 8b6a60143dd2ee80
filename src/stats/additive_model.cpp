#include "stats/additive_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace schedbench::stats {

namespace {

using Column = std::vector<double>;

// Columns whose length falls below this share depend on earlier ones.
constexpr double kDependentBelow = 1e-8;
constexpr std::size_t kSpareValues = 2;

double Dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void Subtract(Column& from, const Column& direction) {
  const double share = Dot(from, direction);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] -= share * direction[i];
  }
}

// Returns the columns of a factor: powers of the level, or a mark of each level but the first.
std::vector<Column> ColumnsOf(const AdditiveFactor& factor, bool curved) {
  std::vector<Column> columns;
  const std::size_t powers = std::min<std::size_t>(factor.levels - 1, curved ? 2 : 1);
  const std::size_t count = factor.is_ordered ? powers : factor.levels - 1;
  for (std::size_t i = 1; i <= count; ++i) {
    Column& column = columns.emplace_back();
    for (const std::size_t level : factor.level) {
      const double middle = (static_cast<double>(factor.levels) - 1) / 2;
      column.push_back(factor.is_ordered
                           ? std::pow(static_cast<double>(level) - middle, static_cast<double>(i))
                           : (level == i ? 1.0 : 0.0));
    }
  }
  return columns;
}

struct Fit {
  double squares;            // the remaining ones
  std::size_t coefficients;  // besides the mean
};

// Fits by Gram and Schmidt, each direction twice. `left_out`: a factor to leave out.
Fit FitWithout(const std::vector<std::vector<Column>>& design, const std::vector<double>& values,
               std::size_t left_out) {
  const double length = 1 / std::sqrt(static_cast<double>(values.size()));
  std::vector<Column> basis{Column(values.size(), length)};
  for (std::size_t factor = 0; factor < design.size(); ++factor) {
    if (factor == left_out) {
      continue;
    }
    for (Column column : design[factor]) {
      const double before = std::sqrt(Dot(column, column));
      for (int twice = 0; twice < 2; ++twice) {
        for (const Column& direction : basis) {
          Subtract(column, direction);
        }
      }
      const double after = std::sqrt(Dot(column, column));
      if (after > kDependentBelow * before) {
        for (double& value : column) {
          value /= after;
        }
        basis.push_back(std::move(column));
      }
    }
  }
  Column rest = values;
  for (const Column& direction : basis) {
    Subtract(rest, direction);
  }
  return {.squares = Dot(rest, rest), .coefficients = basis.size() - 1};
}

}  // namespace

std::optional<AdditiveVariance> VarianceOfAdditive(std::span<const AdditiveFactor> factors,
                                                   std::span<const double> values,
                                                   double noise_variance) {
  AdditiveVariance result;
  std::vector<std::vector<Column>> design;
  const auto build = [&](bool curved) {
    design.clear();
    std::size_t columns = 1;
    for (const AdditiveFactor& factor : factors) {
      columns += design.emplace_back(ColumnsOf(factor, curved)).size();
    }
    return columns + kSpareValues <= values.size();
  };
  result.has_curves = build(true);
  if (!result.has_curves && !build(false)) {
    return std::nullopt;
  }
  const std::vector<double> sample(values.begin(), values.end());
  const double around_mean = FitWithout({}, sample, 0).squares;
  // Rounding leaves about 1e-32 of equal values.
  const double total = around_mean > 1e-24 * Dot(sample, sample) ? around_mean : 0;
  const Fit whole = FitWithout(design, sample, design.size());
  const double freedom = static_cast<double>(values.size()) - 1;
  result.noise = total > 0 ? std::min(freedom * noise_variance / total, 1.0) : 0;
  const double spare = freedom - static_cast<double>(whole.coefficients);
  // Rounding leaves about 1e-16 of the total if the model fits.
  result.rest =
      whole.squares > 1e-12 * total ? std::max(whole.squares - spare * noise_variance, 0.0) : 0;
  double signal = result.rest;
  for (std::size_t factor = 0; factor < design.size(); ++factor) {
    const Fit without = FitWithout(design, sample, factor);
    const double own = static_cast<double>(whole.coefficients - without.coefficients);
    result.shares.push_back(std::max(without.squares - whole.squares - own * noise_variance, 0.0));
    signal += result.shares.back();
  }
  if (total <= 0 || signal <= 1e-12 * total) {
    std::ranges::fill(result.shares, 0);
    result.rest = 0;
    return result;
  }
  for (double& share : result.shares) {
    share /= signal;
  }
  result.rest /= signal;
  return result;
}

}  // namespace schedbench::stats

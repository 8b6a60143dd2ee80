#include "stats/scaling.hpp"

#include "base/random_choice.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace schedbench::stats {

namespace {

constexpr std::size_t kTerms = 3;
using Terms = std::array<double, kTerms>;

// A point with a throughput: n / throughput = a + b (n - 1) + c n (n - 1).
struct Observation {
  double workers;
  double throughput;
};

// Returns the terms times throughput / n, which should add up to 1: so relative deviations count.
Terms TermsOf(const Observation& one) {
  const double scale = one.throughput / one.workers;
  return {scale, scale * (one.workers - 1), scale * one.workers * (one.workers - 1)};
}

// Solves the normal equations of the terms in `used` (others are 0) by Gauss; nothing if singular.
std::optional<Terms> Solved(std::span<const Observation> points,
                            const std::vector<std::size_t>& used) {
  const std::size_t n = used.size();
  std::array<std::array<double, kTerms + 1>, kTerms> rows{};
  for (const Observation& point : points) {
    const Terms terms = TermsOf(point);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        rows[i][j] += terms[used[i]] * terms[used[j]];
      }
      rows[i][n] += terms[used[i]];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i + 1; k < n; ++k) {
      if (std::abs(rows[k][i]) > std::abs(rows[i][i])) {
        std::swap(rows[k], rows[i]);
      }
    }
    if (rows[i][i] == 0) {
      return std::nullopt;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = k == i ? 0 : rows[k][i] / rows[i][i];
      for (std::size_t j = i; j <= n; ++j) {
        rows[k][j] -= factor * rows[i][j];
      }
    }
  }
  Terms solution{};
  for (std::size_t i = 0; i < n; ++i) {
    solution[used[i]] = rows[i][n] / rows[i][i];
  }
  return solution;
}

double SquaresOf(std::span<const Observation> points, const Terms& solution) {
  double sum = 0;
  for (const Observation& point : points) {
    const Terms terms = TermsOf(point);
    double deviation = -1;
    for (std::size_t i = 0; i < kTerms; ++i) {
      deviation += solution[i] * terms[i];
    }
    sum += deviation * deviation;
  }
  return sum;
}

// Returns the best solution without negative terms: some terms after the first may be 0.
Terms Fitted(std::span<const Observation> points, bool with_third) {
  static const std::array<std::vector<std::size_t>, 4> subsets{{{0}, {0, 1}, {0, 2}, {0, 1, 2}}};
  Terms best{};
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<std::size_t>& used : subsets) {
    if (!with_third && used.back() == 2) {
      continue;
    }
    const auto solution = Solved(points, used);
    const bool admitted = solution && solution->front() > 0 &&
                          std::ranges::all_of(*solution, [](double term) { return term >= 0; });
    if (admitted && SquaresOf(points, *solution) < least) {
      least = SquaresOf(points, *solution);
      best = *solution;
    }
  }
  return best;
}

// Returns Fitted() of the first two terms. A serial share is at most 1: the first >= the second.
Terms FittedAmdahl(std::span<const Observation> points) {
  const Terms free = Fitted(points, false);
  if (free[1] <= free[0]) {
    return free;
  }
  double sum = 0;
  double squares = 0;
  for (const Observation& point : points) {
    const Terms terms = TermsOf(point);
    const double both = terms[0] + terms[1];
    sum += both;
    squares += both * both;
  }
  return {sum / squares, sum / squares, 0};
}

double ErrorOf(std::span<const Observation> points, const Terms& solution) {
  return std::sqrt(SquaresOf(points, solution) / static_cast<double>(points.size()));
}

std::vector<Observation> MediansOf(std::span<const ScalingPoint> points,
                                   const std::vector<std::size_t>& blocks) {
  std::vector<Observation> medians;
  std::vector<double> values(blocks.size());
  for (const ScalingPoint& point : points) {
    std::ranges::transform(blocks, values.begin(),
                           [&point](std::size_t block) { return point.throughput[block]; });
    medians.push_back({.workers = point.workers, .throughput = Median(values)});
  }
  return medians;
}

double SerialShare(const Terms& terms) {
  return terms[1] / terms[0];
}

FittedParameter WithInterval(double value, const std::vector<double>& resampled, double level) {
  return {.value = value,
          .low = std::min(value, Quantile(resampled, (1 - level) / 2)),
          .high = std::max(value, Quantile(resampled, (1 + level) / 2))};
}

}  // namespace

ScalingFits FitScaling(std::span<const ScalingPoint> points, double level, std::uint64_t seed,
                       std::size_t resamples) {
  std::set<double> different;
  for (const ScalingPoint& point : points) {
    different.insert(point.workers);
  }
  ScalingFits fits;
  if (different.size() < 2) {
    return fits;
  }
  const bool with_third = different.size() >= 3;
  std::vector<std::size_t> blocks(points.front().throughput.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i] = i;
  }
  const std::vector<Observation> medians = MediansOf(points, blocks);
  const Terms amdahl = FittedAmdahl(medians);
  const Terms universal = with_third ? Fitted(medians, true) : amdahl;
  std::vector<double> serial;
  std::vector<double> sigma;
  std::vector<double> kappa;
  RandomChoice random(seed);
  for (std::size_t i = 0; i < resamples; ++i) {
    std::vector<std::size_t> drawn(blocks.size());
    std::ranges::generate(drawn,
                          [&] { return random.Below(static_cast<std::uint32_t>(blocks.size())); });
    const std::vector<Observation> resampled = MediansOf(points, drawn);
    serial.push_back(SerialShare(FittedAmdahl(resampled)));
    if (with_third) {
      const Terms terms = Fitted(resampled, true);
      sigma.push_back(terms[1] / terms[0]);
      kappa.push_back(terms[2] / terms[0]);
    }
  }
  fits.amdahl = {.first = 1 / amdahl[0],
                 .serial_share = WithInterval(SerialShare(amdahl), serial, level),
                 .error = ErrorOf(medians, amdahl)};
  if (with_third) {
    UniversalFit fit{.first = 1 / universal[0],
                     .sigma = WithInterval(universal[1] / universal[0], sigma, level),
                     .kappa = WithInterval(universal[2] / universal[0], kappa, level),
                     .peak = std::nullopt,
                     .error = ErrorOf(medians, universal)};
    if (fit.kappa.value > 0) {
      fit.peak = std::max(1.0, std::sqrt(std::max(1 - fit.sigma.value, 0.0) / fit.kappa.value));
    }
    fits.universal = fit;
  }
  return fits;
}

double Predicted(const AmdahlFit& fit, double workers) {
  return fit.first * workers / (1 + fit.serial_share.value * (workers - 1));
}

double Predicted(const UniversalFit& fit, double workers) {
  return fit.first * workers /
         (1 + fit.sigma.value * (workers - 1) + fit.kappa.value * workers * (workers - 1));
}

}  // namespace schedbench::stats

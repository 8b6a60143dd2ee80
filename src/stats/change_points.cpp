#include "stats/change_points.hpp"

#include "base/random.hpp"
#include "base/random_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace schedbench::stats {

namespace {

// Drawn permutations times the level: a p-value near the level has a relative error of a quarter.
// The number is arbitrary.
constexpr double kExpectedAtLevel = 20;
constexpr std::size_t kMostPermutations = 1'000'000;  // a level below 1e-6 is not reached

// Returns twice the centred mean ranks, which are whole numbers.
std::vector<double> CentredRanks(std::span<const double> series) {
  std::vector<std::size_t> order(series.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [series](std::size_t place) { return series[place]; });
  std::vector<double> ranks(series.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && series[order[end]] == series[order[first]]) {
      ++end;
    }
    for (std::size_t i = first; i < end; ++i) {
      ranks[order[i]] = static_cast<double>(first + end) - static_cast<double>(series.size());
    }
    first = end;
  }
  return ranks;
}

// Returns the square of the largest statistic of any split.
double LargestStatistic(std::span<const double> ranks) {
  double largest = 0;
  double sum = 0;
  for (std::size_t k = 1; k + kLeastSegment <= ranks.size(); ++k) {
    sum += ranks[k - 1];
    if (k < kLeastSegment) {
      continue;
    }
    largest = std::max(largest, sum * sum / static_cast<double>(k * (ranks.size() - k)));
  }
  return largest;
}

double DistanceFromMedian(std::span<const double> values, std::vector<double>& buffer) {
  buffer.assign(values.begin(), values.end());
  const auto middle = buffer.begin() + static_cast<std::ptrdiff_t>(buffer.size() / 2);
  std::nth_element(buffer.begin(), middle, buffer.end());
  return std::accumulate(
      values.begin(), values.end(), 0.0,
      [median = *middle](double sum, double value) { return sum + std::abs(value - median); });
}

// Returns the split with the least distance of all values from the medians of the two parts. Ranks
// prove a change, but locate it badly: they do not distinguish a large difference from a small one.
std::size_t BestPlace(std::span<const double> segment) {
  std::vector<double> buffer;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = kLeastSegment; k + kLeastSegment <= segment.size(); ++k) {
    const double distance = DistanceFromMedian(segment.first(k), buffer) +
                            DistanceFromMedian(segment.subspan(k), buffer);
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

// Returns the p-value of the largest split, or 1 as soon as it is certain to be above `level`.
double PermutationTest(std::vector<double> ranks, double statistic, double level,
                       std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(
      std::min(static_cast<double>(kMostPermutations), std::ceil(kExpectedAtLevel / level)));
  const auto most = static_cast<std::size_t>(std::floor(level * static_cast<double>(count + 1)));
  constexpr double kRounding = 1e-9;  // equal statistics may differ by it
  RandomChoice random(seed);
  std::size_t as_large = 1;  // the series itself
  for (std::size_t i = 0; i < count; ++i) {
    if (as_large > most) {
      return 1;
    }
    for (std::size_t place = ranks.size(); place > 1; --place) {
      std::swap(ranks[place - 1], ranks[random.Below(static_cast<std::uint32_t>(place))]);
    }
    as_large += LargestStatistic(ranks) >= statistic * (1 - kRounding) ? 1 : 0;
  }
  return as_large > most ? 1 : static_cast<double>(as_large) / static_cast<double>(count + 1);
}

void Search(std::span<const double> series, std::size_t offset, double level, std::uint64_t seed,
            std::vector<ChangePoint>& changes) {
  if (series.size() < 2 * kLeastSegment) {
    return;
  }
  const std::vector<double> ranks = CentredRanks(series);
  const double statistic = LargestStatistic(ranks);
  if (statistic == 0) {
    return;  // all values are equal
  }
  const double p = PermutationTest(ranks, statistic, level, DeriveSeed(seed, offset));
  if (p > level) {
    return;
  }
  const std::size_t at = BestPlace(series);
  const std::uint64_t below = MixSeed(seed);
  Search(series.first(at), offset, level / 2, below, changes);
  changes.push_back({.at = offset + at, .p = p});
  Search(series.subspan(at), offset + at, level / 2, below, changes);
}

// Tests each change again between its neighbours, which the search did not know when it found it:
// moves it to the best split there, or removes it. Returns whether any was moved or removed.
bool Refine(std::span<const double> series, double level, std::uint64_t seed,
            std::vector<ChangePoint>& changes) {
  bool is_other = false;
  for (std::size_t i = 0; i < changes.size();) {
    const std::size_t begin = i > 0 ? changes[i - 1].at : 0;
    const std::size_t end = i + 1 < changes.size() ? changes[i + 1].at : series.size();
    const std::span<const double> segment = series.subspan(begin, end - begin);
    const std::vector<double> ranks = CentredRanks(segment);
    const double statistic = LargestStatistic(ranks);
    const double p =
        statistic > 0 ? PermutationTest(ranks, statistic, level, DeriveSeed(seed, begin)) : 1;
    if (p > level) {
      changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(i));
      is_other = true;
      continue;
    }
    const std::size_t at = begin + BestPlace(segment);
    is_other = is_other || changes[i].at != at;
    changes[i] = {.at = at, .p = p};
    ++i;
  }
  return is_other;
}

}  // namespace

std::vector<ChangePoint> ChangePoints(std::span<const double> series, double alpha,
                                      std::uint64_t seed) {
  constexpr int kMostPasses = 20;  // changes may be moved to and fro
  std::vector<ChangePoint> changes;
  Search(series, 0, alpha, seed, changes);
  if (changes.size() > 1) {
    for (int pass = 0; pass < kMostPasses && Refine(series, alpha / 2, seed, changes); ++pass) {
    }
  }
  return changes;
}

std::size_t SmallestSeriesWithChange(double alpha) {
  double choices = 1;  // C(n, n / 2)
  for (std::size_t n = 1;; ++n) {
    choices *= static_cast<double>(n) / static_cast<double>((n + 1) / 2);
    // The extreme orders: either half first, and for an odd number the middle value in either half.
    const double extremes = n % 2 == 0 ? 2 : 4;
    if (n >= 2 * kLeastSegment && extremes <= alpha * choices) {
      return n;
    }
  }
}

}  // namespace schedbench::stats

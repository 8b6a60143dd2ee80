#include "stats/mann_whitney.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

namespace schedbench::stats {

namespace {

// Counts of the exact distribution stay below C(40, 20) < 2^38.
constexpr std::size_t kLargestExact = 20;

struct RankSums {
  double of_b = 0;
  double ties = 0;  // sum of t^3 - t over groups of t equal values
};

// Ranks both samples. Equal values share the mean of their ranks.
RankSums RankBoth(std::span<const double> a, std::span<const double> b) {
  struct Value {
    double x;
    bool of_b;
  };
  auto all = VectorOf(a, [](double x) { return Value{x, false}; });
  for (const double x : b) {
    all.push_back({x, true});
  }
  SB_ASSERT(std::ranges::none_of(all, [](const Value& value) { return std::isnan(value.x); }),
            "NaN has no rank");
  std::ranges::sort(all, {}, &Value::x);
  RankSums sums;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t end = first + 1;
    while (end < all.size() && all[end].x == all[first].x) {
      ++end;
    }
    const auto equal = static_cast<double>(end - first);
    sums.ties += equal * equal * equal - equal;
    const double rank = static_cast<double>(first + 1 + end) / 2;
    for (std::size_t i = first; i < end; ++i) {
      sums.of_b += all[i].of_b ? rank : 0;
    }
    first = end;
  }
  return sums;
}

// Returns the number of orders of m and n values in which U is 0, 1, ..., m n: the coefficients of
// the Gaussian binomial, the product of (1 - q^(n+i)) / (1 - q^i) for i = 1, ..., m.
std::vector<std::int64_t> OrdersByU(std::size_t m, std::size_t n) {
  std::vector<std::int64_t> counts(m * n + 1, 0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t u = counts.size(); u-- > n + i;) {
      counts[u] -= counts[u - (n + i)];
    }
    for (std::size_t u = i; u < counts.size(); ++u) {
      counts[u] += counts[u - i];
    }
  }
  return counts;
}

double ExactP(double u, std::size_t m, std::size_t n) {
  const std::vector<std::int64_t> counts = OrdersByU(m, n);
  const double smaller = std::min(u, static_cast<double>(m * n) - u);
  const auto end = counts.begin() + static_cast<std::ptrdiff_t>(smaller) + 1;
  const auto below = std::accumulate(counts.begin(), end, std::int64_t{0});
  const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  return std::min(1.0, 2 * static_cast<double>(below) / static_cast<double>(all));
}

double NormalP(double u, double m, double n, double ties) {
  const double all = m + n;
  const double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) {
    return 1;  // all values are equal
  }
  const double z = std::max(0.0, std::abs(u - m * n / 2) - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::numbers::sqrt2);
}

}  // namespace

RankComparison MannWhitney(std::span<const double> a, std::span<const double> b) {
  SB_ASSERT(!a.empty() && !b.empty(), "a sample without values");
  const RankSums sums = RankBoth(a, b);
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  const double u = sums.of_b - n * (n + 1) / 2;
  const bool exact = sums.ties == 0 && std::max(a.size(), b.size()) <= kLargestExact;
  return {.u = u,
          .p = exact ? ExactP(u, a.size(), b.size()) : NormalP(u, m, n, sums.ties),
          .superiority = u / (m * n)};
}

double SmallestP(std::size_t a, std::size_t b) {
  SB_ASSERT(a >= 1 && b >= 1, "a sample without values");
  // The value is 2 / C(a + b, a).
  double p = 2;
  for (std::size_t i = 1; i <= a; ++i) {
    p *= static_cast<double>(i) / static_cast<double>(b + i);
  }
  return std::min(1.0, p);
}

std::string_view EffectSize(double superiority) {
  const double delta = std::abs(2 * superiority - 1);
  if (delta < 0.147) {
    return "negligible";
  }
  if (delta < 0.33) {
    return "small";
  }
  return delta < 0.474 ? "medium" : "large";
}

}  // namespace schedbench::stats

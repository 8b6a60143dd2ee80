#include "harness/tune/ranking.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace schedbench::harness {

namespace {

// Returns whether `a` is nowhere worse than `b`, and somewhere better.
bool Dominates(const Scores& a, const Scores& b) {
  return std::ranges::equal(a, b, std::less_equal<>()) && a != b;
}

// Returns the fronts, each with the indices of its candidates.
std::vector<std::vector<std::size_t>> FrontsOf(const std::vector<Scores>& scores) {
  std::vector<std::vector<std::size_t>> fronts;
  std::vector<bool> taken(scores.size(), false);
  for (std::size_t left = scores.size(); left > 0;) {
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      bool is_dominated = false;
      for (std::size_t j = 0; j < scores.size() && !is_dominated; ++j) {
        is_dominated = !taken[j] && Dominates(scores[j], scores[i]);
      }
      if (!taken[i] && !is_dominated) {
        front.push_back(i);
      }
    }
    for (const std::size_t i : front) {
      taken[i] = true;
    }
    left -= front.size();
    fronts.push_back(std::move(front));
  }
  return fronts;
}

// Returns the sum over objectives of the neighbours' distance as a share of the front's width.
std::vector<double> CrowdingOf(const std::vector<Scores>& scores,
                               const std::vector<std::size_t>& front) {
  std::vector<double> crowding(scores.size(), 0);
  for (std::size_t objective = 0; objective < scores[front.front()].size(); ++objective) {
    std::vector<std::size_t> sorted = front;
    std::ranges::sort(sorted, {},
                      [&](std::size_t i) { return std::pair(scores[i][objective], i); });
    const double width = scores[sorted.back()][objective] - scores[sorted.front()][objective];
    crowding[sorted.front()] = std::numeric_limits<double>::infinity();
    crowding[sorted.back()] = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < sorted.size() && width > 0; ++i) {
      crowding[sorted[i]] +=
          (scores[sorted[i + 1]][objective] - scores[sorted[i - 1]][objective]) / width;
    }
  }
  return crowding;
}

}  // namespace

std::vector<Ranked> BestFirst(const std::vector<Scores>& scores) {
  std::vector<Ranked> ranked;
  std::size_t number = 0;
  for (std::vector<std::size_t>& front : FrontsOf(scores)) {
    const std::vector<double> crowding = CrowdingOf(scores, front);
    std::ranges::sort(front, {}, [&](std::size_t i) { return std::pair(-crowding[i], i); });
    for (const std::size_t i : front) {
      ranked.push_back({.place = i, .front = number});
    }
    ++number;
  }
  return ranked;
}

}  // namespace schedbench::harness

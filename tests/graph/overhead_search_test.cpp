#include "graph/fit/overhead_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace schedbench::graph {

namespace {

// A program of 100 µs, and a replay that takes 90 µs in addition to its computations.
OverheadSearch::Pass PassOf(double overhead, const std::vector<double>& lengths) {
  double replay_ns = 0;
  for (const double length : lengths) {
    replay_ns += std::max(0.0, length - overhead);
  }
  return {.overhead = overhead, .program_ns = 100'000, .replay_ns = 90'000 + replay_ns};
}

OverheadSearch::Pass Found(const std::vector<double>& lengths) {
  OverheadSearch search(static_cast<double>(lengths.size()));
  while (const std::optional<double> overhead = search.Next()) {
    search.Add(PassOf(*overhead, lengths));
  }
  return search.Best();
}

TEST(OverheadSearch, FindsTheOverheadOfEqualComputations) {
  EXPECT_NEAR(Found(std::vector<double>(1000, 50)).overhead, 40, 1);
}

TEST(OverheadSearch, FindsAnOverheadThatOnlyAFewLongComputationsExceed) {
  std::vector<double> lengths(1000, 20);
  for (std::size_t i = 0; i < 30; ++i) {
    lengths[i] = 600;
  }
  EXPECT_LE(std::abs(Found(lengths).Error()), 0.02);
}

TEST(OverheadSearch, FindsThatAReplayTakesLess) {
  EXPECT_NEAR(Found(std::vector<double>(1000, 5)).overhead, -5, 1);
}

TEST(OverheadSearch, KeepsTheComputationsThatAreNotWhatTakesTheTime) {
  for (const double replay_ns : {105'000, 97'500}) {
    OverheadSearch search(1000);
    for (std::size_t passes = 0; const std::optional<double> overhead = search.Next(); ++passes) {
      // An error that varies by less than 1 %, whatever the overhead is.
      search.Add({.overhead = *overhead,
                  .program_ns = 100'000,
                  .replay_ns = replay_ns - static_cast<double>(passes % 2) * 500});
    }
    EXPECT_EQ(search.Best().overhead, 0) << replay_ns;
  }
}

TEST(OverheadSearch, AsksForNoOverheadBeyondAMicrosecond) {
  for (const double replay_ns : {150'000, 50'000}) {
    OverheadSearch search(10);
    while (const std::optional<double> overhead = search.Next()) {
      ASSERT_LE(std::abs(*overhead), 1000);
      search.Add({.overhead = *overhead, .program_ns = 100'000, .replay_ns = replay_ns});
    }
  }
}

}  // namespace

}  // namespace schedbench::graph

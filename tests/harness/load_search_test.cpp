#include "harness/load_search.hpp"

#include "base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <vector>

namespace schedbench::harness::load_search_test {

namespace {

constexpr LoadRange kRange{.first = 20'000, .lowest = 1250, .highest = 1e8};

// What a search found, and what it tried.
struct Searched {
  LoadBounds bounds;
  std::vector<double> tried;
};

Searched Search(const LoadRange& range, const std::function<bool(double)>& holds) {
  std::vector<double> tried;
  const LoadBounds bounds = FindLargestLoad(range, [&](double rate) {
    tried.push_back(rate);
    return std::optional(holds(rate));
  });
  return {bounds, tried};
}

std::function<bool(double)> UpTo(double limit) {
  return [limit](double rate) { return rate <= limit; };
}

TEST(LoadSearch, EnclosesTheLimitWithinTwoPercentWhereverItIs) {
  for (double limit = 1300; limit < 9e7; limit *= 1.37) {
    const auto [bounds, tried] = Search(kRange, UpTo(limit));
    ASSERT_EQ(bounds.ending, LoadEnding::kFound) << limit;
    EXPECT_LE(*bounds.holds, limit);
    EXPECT_GT(*bounds.fails, limit);
    EXPECT_LE(*bounds.fails, *bounds.holds * 1.02) << limit;
    EXPECT_LE(tried.size(), 21U) << limit;
  }
}

TEST(LoadSearch, DoublesFromTheFirstRateThenHalvesTheDistance) {
  const auto [bounds, tried] = Search(kRange, UpTo(100'000));
  ASSERT_GE(tried.size(), 5U);
  EXPECT_EQ((std::vector<double>{tried.begin(), tried.begin() + 5}),
            (std::vector<double>{20'000, 40'000, 80'000, 160'000, 113'100}));
}

TEST(LoadSearch, HalvesFromTheFirstRateWhereThatDoesNotHold) {
  const auto [bounds, tried] = Search(kRange, UpTo(6000));
  ASSERT_GE(tried.size(), 4U);
  EXPECT_EQ((std::vector<double>{tried.begin(), tried.begin() + 4}),
            (std::vector<double>{20'000, 10'000, 5000, 7071}));
}

TEST(LoadSearch, SaysThatNotEvenTheLowestHolds) {
  const auto [bounds, tried] = Search(kRange, [](double) { return false; });
  EXPECT_EQ(bounds.ending, LoadEnding::kNeverHolds);
  EXPECT_EQ(bounds.holds, std::nullopt);
  EXPECT_EQ(bounds.fails, 1250);
  EXPECT_EQ(tried, (std::vector<double>{20'000, 10'000, 5000, 2500, 1250}));
}

TEST(LoadSearch, SaysThatEvenTheHighestHolds) {
  const auto [bounds, tried] = Search(kRange, [](double) { return true; });
  EXPECT_EQ(bounds.ending, LoadEnding::kAlwaysHolds);
  EXPECT_EQ(bounds.holds, 1e8);
  EXPECT_EQ(bounds.fails, std::nullopt);
  EXPECT_EQ(tried.back(), 1e8) << "the highest itself is tried";
}

TEST(LoadSearch, TriesTheOneRateOfARangeOfOne) {
  const LoadRange one{.first = 5, .lowest = 5, .highest = 5};
  EXPECT_EQ(Search(one, UpTo(5)).bounds.ending, LoadEnding::kAlwaysHolds);
  EXPECT_EQ(Search(one, UpTo(4)).bounds.ending, LoadEnding::kNeverHolds);
}

TEST(LoadSearch, StopsWhenItsProbesAreUsedUp) {
  LoadRange range = kRange;
  range.max_probes = 5;
  const auto [bounds, tried] = Search(range, UpTo(100'000));
  EXPECT_EQ(bounds.ending, LoadEnding::kOutOfProbes);
  EXPECT_EQ(tried.size(), 5U);
  EXPECT_EQ(bounds.holds, 80'000);
  EXPECT_EQ(bounds.fails, 113'100);
}

TEST(LoadSearch, StopsOnRequest) {
  int left = 3;
  const LoadBounds bounds = FindLargestLoad(kRange, [&left](double) -> std::optional<bool> {
    return --left == 0 ? std::nullopt : std::optional(true);
  });
  EXPECT_EQ(bounds.ending, LoadEnding::kStopped);
  EXPECT_EQ(bounds.holds, 40'000);
}

TEST(LoadSearch, EndsAtFourDigitsWhateverResolutionIsAskedFor) {
  LoadRange range = kRange;
  range.resolution = 1;
  const auto [bounds, tried] = Search(range, UpTo(33'333.3));
  EXPECT_EQ(bounds.ending, LoadEnding::kFound);
  EXPECT_EQ(bounds.holds, 33'330);
  EXPECT_EQ(bounds.fails, 33'340);
}

// A rate holds the more likely the smaller it is: at the limit as often as not, 5 % below it nearly
// always, 5 % above it nearly never.
std::function<bool(double)> NoisyAt(double limit, QuickRandom& random) {
  return [limit, &random](double rate) {
    const double noise = (static_cast<double>(random.Next()) * 0x1p-32 - 0.5) * 0.1;
    return std::log(rate / limit) < noise;
  };
}

TEST(LoadSearch, IsAsInaccurateAsItsInputAndNoMore) {
  QuickRandom random(1);
  for (int i = 0; i < 1000; ++i) {
    const double limit = 3000 * std::pow(1.01, i);
    const auto [bounds, tried] = Search(kRange, NoisyAt(limit, random));
    ASSERT_EQ(bounds.ending, LoadEnding::kFound);
    EXPECT_NEAR(*bounds.holds / limit, 1, 0.08) << limit;
    EXPECT_LE(*bounds.fails, *bounds.holds * 1.02);
  }
}

TEST(LoadSearch, EndsForEveryInput) {
  QuickRandom random(1);
  for (int i = 0; i < 1000; ++i) {
    std::set<double> held;
    std::set<double> failed;
    const auto [bounds, tried] = Search(kRange, [&](double rate) {
      const bool holds = random.Next() % 2 == 0;
      EXPECT_TRUE((holds ? held : failed).insert(rate).second) << "tried twice";
      return holds;
    });
    EXPECT_LE(tried.size(), 40U);
    EXPECT_TRUE(!bounds.holds || held.contains(*bounds.holds));
    EXPECT_TRUE(!bounds.fails || failed.contains(*bounds.fails));
    EXPECT_TRUE(!bounds.holds || !bounds.fails || *bounds.holds < *bounds.fails);
  }
}

}  // namespace

}  // namespace schedbench::harness::load_search_test

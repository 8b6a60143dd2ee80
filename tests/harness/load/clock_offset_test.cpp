#include "harness/load/clock_offset.hpp"

#include "base/random.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace schedbench::harness::clock_offset_test {

namespace {

constexpr std::uint64_t kDay = 86'400'000'000'000;

// Exchanges with a clock that is ahead by `offset`, over ways with random delays of which each has
// its own minimum.
std::vector<ClockExchange> Simulated(std::int64_t offset, std::uint64_t there_ns,
                                     std::uint64_t back_ns, std::uint64_t seed) {
  QuickRandom random(seed);
  std::vector<ClockExchange> exchanges;
  std::uint64_t now = 100 * kDay;
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t sent = now;
    const std::uint64_t arrived = sent + there_ns + random.Next() % 500'000;
    const std::uint64_t received = arrived + back_ns + random.Next() % 500'000;
    exchanges.push_back({.sent = sent,
                         .there = arrived + static_cast<std::uint64_t>(offset),
                         .received = received});
    now = received + 10'000;
  }
  return exchanges;
}

TEST(ClockOffset, IsWithinItsBoundWhateverTheDelaysOfTheTwoWaysAre) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const std::int64_t offset :
         {std::int64_t{0}, std::int64_t{-3}, std::int64_t{1'234'567},
          static_cast<std::int64_t>(50 * kDay), -static_cast<std::int64_t>(99 * kDay)}) {
      for (const std::uint64_t there : {0ULL, 1ULL, 20'000ULL, 5'000'000ULL}) {
        for (const std::uint64_t back : {0ULL, 30'000ULL, 2'000'001ULL}) {
          const auto exchanges = Simulated(offset, there, back, seed);
          const ClockOffset estimate = OffsetOf(exchanges);
          const auto error = static_cast<std::uint64_t>(std::abs(estimate.offset_ns - offset));
          ASSERT_LE(error, estimate.bound_ns)
              << seed << ' ' << offset << ' ' << there << ' ' << back;
          for (const ClockExchange& exchange : exchanges) {
            ASSERT_LE(estimate.bound_ns, (exchange.received - exchange.sent + 1) / 2);
          }
        }
      }
    }
  }
}

TEST(ClockOffset, ReachesItsBoundIfAllOfTheDelayIsOnOneWay) {
  const ClockExchange late{.sent = 1000, .there = 1800, .received = 1801};
  const ClockOffset estimate = OffsetOf(std::vector{late});
  EXPECT_EQ(estimate.offset_ns, 400);
  EXPECT_EQ(estimate.bound_ns, 401U);
}

TEST(ClockOffset, GivesTheSameMomentOnTheOtherClock) {
  EXPECT_EQ(TimeThere({.offset_ns = 50}, 100), 150U);
  EXPECT_EQ(TimeThere({.offset_ns = -60}, 100), 40U);
  EXPECT_EQ(TimeThere({.offset_ns = -101}, 100), 0U) << "before the start of that clock";
}

}  // namespace

}  // namespace schedbench::harness::clock_offset_test

#include "trace/tick_map.hpp"

#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace schedbench::trace::tick_map_test {

namespace {

TEST(TickMap, MeetsBothAnchors) {
  const TickMap map({.ticks = 1000, .ns = 500}, {.ticks = 4000, .ns = 1499});
  EXPECT_EQ(map.NsAt(1000), 500u);
  EXPECT_EQ(map.NsAt(4000), 1499u);
  EXPECT_EQ(map.StartNs(), 500u);
  EXPECT_EQ(map.StopNs(), 1499u);
}

TEST(TickMap, IsAStraightLineAlsoBeyondTheAnchors) {
  const TickMap map({.ticks = 1000, .ns = 500}, {.ticks = 3000, .ns = 1500});
  EXPECT_EQ(map.NsAt(2000), 1000u);
  EXPECT_EQ(map.NsAt(5000), 2500u);
  EXPECT_EQ(map.NsAt(500), 250u);
}

TEST(TickMap, HasNoTimesBeforeTheClockBegan) {
  const TickMap map({.ticks = 10'000, .ns = 500}, {.ticks = 11'000, .ns = 1500});
  EXPECT_EQ(map.NsAt(0), 0u);
}

TEST(TickMap, IsExactOverYears) {
  constexpr std::uint64_t kYearNs = 365ULL * 24 * 3600 * 1'000'000'000;
  const TickMap map({.ticks = 7, .ns = 3}, {.ticks = 7 + 3 * kYearNs, .ns = 3 + kYearNs});
  EXPECT_EQ(map.NsAt(7 + 3 * kYearNs - 3), 2 + kYearNs);
  EXPECT_EQ(map.NsAt(7 + 3 * (kYearNs / 2)), 3 + kYearNs / 2);
}

TEST(TickMap, NeverGoesBack) {
  const TickMap map({.ticks = 0, .ns = 0}, {.ticks = 2'999'999, .ns = 1'000'003});
  std::uint64_t last = 0;
  for (std::uint64_t ticks = 0; ticks < 100'000; ++ticks) {
    ASSERT_GE(map.NsAt(ticks), last);
    last = map.NsAt(ticks);
  }
}

TEST(TickMap, ComputesTheTimeOfTheMonotonicClockBetweenItsAnchors) {
  const platform::ClockAnchor start = platform::ReadClockAnchor();
  platform::SleepUntilNs(start.ns + 10'000'000);
  const platform::ClockAnchor middle = platform::ReadClockAnchor();
  platform::SleepUntilNs(start.ns + 20'000'000);
  const TickMap map(start, platform::ReadClockAnchor());
  const auto error = static_cast<double>(map.NsAt(middle.ticks)) - static_cast<double>(middle.ns);
  // Some 60 ns on a quiet machine; here only what a wrong map would exceed by far.
  EXPECT_LT(std::abs(error), 50'000);
}

TEST(TickMapDeathTest, RefusesClocksThatGoBack) {
  EXPECT_DEATH(TickMap({.ticks = 5, .ns = 5}, {.ticks = 5, .ns = 6}), "went back");
}

}  // namespace

}  // namespace schedbench::trace::tick_map_test

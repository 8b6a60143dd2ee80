#include "platform/time/clock_anchor.hpp"

#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

namespace schedbench::platform::clock_anchor_test {

namespace {

TEST(ClockAnchor, LiesBetweenReadingsOfBothClocks) {
  const std::uint64_t ns = NowNs();
  const std::uint64_t ticks = TickClock::Now();
  const ClockAnchor anchor = ReadClockAnchor();
  EXPECT_GE(anchor.ns, ns);
  EXPECT_GE(anchor.ticks, ticks);
  EXPECT_LE(anchor.ticks, TickClock::Now());
  EXPECT_LE(anchor.ns, NowNs());
}

TEST(ClockAnchor, IsNarrowerThanAReadingAtLarge) {
  const std::uint64_t before = TickClock::Now();
  const ClockAnchor anchor = ReadClockAnchor();
  // It is the narrowest of many attempts.
  EXPECT_LT(anchor.width, (TickClock::Now() - before) / 10);
}

}  // namespace

}  // namespace schedbench::platform::clock_anchor_test

#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

namespace schedbench::platform::clock_test {

namespace {

TEST(Clock, ThatGoesBackGivesATimeOf0AndIsCounted) {
  const std::uint64_t before = ClockStepsBack();
  EXPECT_EQ(BetweenNs(1000, 1200), 200U);
  EXPECT_EQ(ClockStepsBack(), before);
  EXPECT_EQ(BetweenNs(201'000, 1000), 0U);
  EXPECT_EQ(ElapsedNs(NowNs() + 1'000'000'000'000), 0U);
  EXPECT_EQ(ClockStepsBack(), before + 2);
}

}  // namespace

}  // namespace schedbench::platform::clock_test

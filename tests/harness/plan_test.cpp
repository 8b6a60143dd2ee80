#include "harness/plan.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace schedbench::harness {

namespace {

using std::chrono::milliseconds;

TEST(RoundsIn, FillTheTime) {
  EXPECT_EQ(RoundsIn(milliseconds(40), 1e6, 1), 40u);
  EXPECT_EQ(RoundsIn(milliseconds(40), 3e7, 1), 1u);
}

TEST(RoundsIn, AreNotFewerThanTheLeast) {
  EXPECT_EQ(RoundsIn(milliseconds(40), 1e7, 7), 7u);
  EXPECT_EQ(RoundsIn(milliseconds(40), 1e12, 1), 1u);
}

TEST(RoundsIn, AreBoundedIfARoundTakesNoTime) {
  EXPECT_EQ(RoundsIn(milliseconds(40), 0, 1), 10'000u);
}

}  // namespace

}  // namespace schedbench::harness

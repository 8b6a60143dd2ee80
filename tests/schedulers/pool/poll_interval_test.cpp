#include "schedulers/pool/poll_interval.hpp"

#include <gtest/gtest.h>

namespace schedbench::schedulers::poll_interval_test {

TEST(PollIntervalTest, DoublesWithEachPollThatFindsNothingUpToItsLimit) {
  PollInterval interval;
  std::uint64_t expected = PollInterval::kShortestNs;
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(interval.Ns(), expected) << "after " << i << " polls";
    interval.Polled(0);
    expected *= 2;
  }
  ASSERT_EQ(interval.Ns(), PollInterval::kLongestNs);
  interval.Polled(0);
  EXPECT_EQ(interval.Ns(), PollInterval::kLongestNs);
}

TEST(PollIntervalTest, IsShortAgainAfterAPollThatFindsAFiber) {
  PollInterval interval;
  interval.Polled(0);
  interval.Polled(0);
  interval.Polled(1);
  EXPECT_EQ(interval.Ns(), PollInterval::kShortestNs);
  interval.Polled(0);
  EXPECT_EQ(interval.Ns(), 2 * PollInterval::kShortestNs);
}

}  // namespace schedbench::schedulers::poll_interval_test

#include "platform/time/clock.hpp"
#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::trickle_test {

namespace {

TEST(Trickle, RunsEachTaskOnceAndReportsHowLongItTook) {
  const Outcome outcome = RunOnce("trickle:tasks=50,interval_ns=1000", "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 50U);
  EXPECT_GT(outcome["submit_latency_p50"], 0);
  EXPECT_LE(outcome["submit_latency_p50"], outcome["submit_latency_p99"]);
  EXPECT_LE(outcome["submit_latency_p99"], outcome["submit_latency_max"]);
}

TEST(Trickle, TakesAsLongAsItsIntervalsTogether) {
  const std::uint64_t start = platform::NowNs();
  EXPECT_EQ(RunOnce("trickle:tasks=11,interval_ns=200000", "fast", 2).wrong, "");
  EXPECT_GE(platform::NowNs() - start, 10U * 200'000U);
}

}  // namespace

}  // namespace schedbench::tests::trickle_test

#include "platform/time/clock.hpp"
#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests::burst_test {

namespace {

class Burst : public testing::TestWithParam<const char*> {};

TEST_P(Burst, RunsEachFiberOnceAndReportsHowLongABurstTook) {
  const Outcome outcome = RunOnce(
      "burst:bursts=20,tasks=30,interval_ns=10000,from=" + std::string(GetParam()), "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 600U);
  EXPECT_GT(outcome["burst_p50"], 0);
  EXPECT_LE(outcome["burst_p50"], outcome["burst_p99"]);
  EXPECT_LE(outcome["burst_p99"], outcome["burst_max"]);
}

TEST_P(Burst, BeginsEachAtItsTime) {
  const std::uint64_t start = platform::NowNs();
  EXPECT_EQ(RunOnce("burst:bursts=6,tasks=3,interval_ns=2000000,from=" + std::string(GetParam()),
                    "fast", 2)
                .wrong,
            "");
  EXPECT_GE(platform::NowNs() - start, 5U * 2'000'000U);
}

INSTANTIATE_TEST_SUITE_P(From, Burst, testing::Values("outside", "inside"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace

}  // namespace schedbench::tests::burst_test

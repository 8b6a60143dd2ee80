#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::chained_spawn_test {

namespace {

TEST(ChainedSpawn, RunsEachLinkOfEachChain) {
  for (const std::string front_end : {"task", "fiber"}) {
    const Outcome outcome =
        RunOnce("chained_spawn:depth=300,chains=7,front_end=" + front_end, "fast", 2);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, 2100U);
  }
}

TEST(ChainedSpawn, ComesFromOutsideOnceForEachChain) {
  const auto scheduler = MakeScheduler("fast", 2);
  EXPECT_EQ(RunOnce("chained_spawn:depth=50,chains=9", *scheduler).wrong, "");
  EXPECT_EQ(scheduler->ExternalSubmissions(), 9U);
}

}  // namespace

}  // namespace schedbench::tests::chained_spawn_test

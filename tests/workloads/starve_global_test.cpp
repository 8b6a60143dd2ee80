#include "tests/support/tier.hpp"
#include "tests/workloads/run_once.hpp"
#include "tests/workloads/starving_scheduler.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace schedbench::tests::starve_global_test {

namespace {

TEST(StarveGlobal, RunsEachProbeOnceWhereTheGlobalQueueIsPolled) {
  for (const std::uint32_t workers : {1U, 2U}) {
    const Outcome outcome = RunOnce("starve_global:probes=50", "fast", workers);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, 50U);
    EXPECT_LE(outcome["probe_age_mean"], outcome["probe_age_max"]);
    EXPECT_GT(outcome["probe_latency_p50"], 0);
    EXPECT_LE(outcome["probe_latency_p50"], outcome["probe_latency_p99"]);
    EXPECT_LE(outcome["probe_latency_p99"], outcome["probe_latency_max"]);
  }
}

TEST(StarveGlobal, EndsWithAWrongAnswerWhereTheWorkersOwnTasksAlwaysComeFirst) {
  // Many times, because a probe that comes in the middle of a saturator's run is rare.
  for (int i = 0; i < QuickOrFull(2, 50); ++i) {
    StarvingScheduler scheduler(StarvingScheduler::Order::kOldestFirst);
    const Outcome outcome = RunOnce("starve_global:patience=1,saturators=1", scheduler);
    // The first one may come when the worker has not begun.
    unsigned long probe = 0;
    unsigned long tasks = 0;
    ASSERT_EQ(std::sscanf(outcome.wrong.c_str(), "probe %lu did not run while %lu tasks ran",
                          &probe, &tasks),
              2)
        << outcome.wrong;
    EXPECT_LE(probe, 1U);
    EXPECT_GE(tasks, 1'000'000U);
    EXPECT_EQ(outcome.operations, probe + 1);
  }
}

TEST(StarveGlobal, CanBeRunAgainAfterAStarvedRound) {
  const HangGuard hang_guard("starve_global");
  const MadeWorkload made = MakeWorkload("starve_global:patience=1,saturators=1,probes=5");
  StarvingScheduler starving(StarvingScheduler::Order::kOldestFirst);
  made.workload->Prepare();
  made.workload->Run(starving);
  starving.WaitIdle();
  EXPECT_NE(made.workload->Verify(), "");
  const auto fair = MakeScheduler("global_fifo", 2);
  made.workload->Prepare();
  EXPECT_EQ(made.workload->Run(*fair), 5U);
  fair->WaitIdle();
  EXPECT_EQ(made.workload->Verify(), "");
}

}  // namespace

}  // namespace schedbench::tests::starve_global_test

// The benchmarks of the toucan report.
#include "tests/workloads/run_once.hpp"
#include "workloads/parts/worker_sleep.hpp"

#include <gtest/gtest.h>

#include <sys/prctl.h>

namespace schedbench::tests::document_000_test {

namespace {

TEST(MergeSort, StartsAFiberForEachPartThatIsLargerThanTheCutoffAndForItsHalves) {
  EXPECT_EQ(RunOnce("merge_sort:numbers=16", "fast", 2).operations, 31U);
  EXPECT_EQ(RunOnce("merge_sort:numbers=5", "fast", 2).operations, 9U);
  EXPECT_EQ(RunOnce("merge_sort:numbers=16,cutoff=4", "fast", 2).operations, 7U);
  EXPECT_EQ(RunOnce("merge_sort:numbers=16,cutoff=16", "fast", 2).operations, 1U);
}

TEST(MergeSort, SortsWithAnyCutoff) {
  for (const char* const spec :
       {"merge_sort:numbers=1", "merge_sort:numbers=1000", "merge_sort:numbers=999,cutoff=7"}) {
    EXPECT_EQ(RunOnce(spec, "fast", 2).wrong, "") << spec;
  }
}

TEST(DifferentSpawners, AreTogetherOnOneWorker) {
  const Outcome outcome =
      RunOnce("different_spawners:tasks_first=3,tasks_second=2,iterations=4,mode=spin", "fast", 1);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 20U);
  EXPECT_EQ(outcome["spawners_apart"], 0);
}

TEST(SingleSpawner, MayYieldAfterEachStart) {
  const Outcome outcome = RunOnce(
      "single_spawner:tasks=5,iterations=3,spawner_yields=true,mode=slack1", "global_fifo", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 15U);
}

TEST(WorkerSleep, SetsTheTimerSlackOfTheThreadThatSleeps) {
  const int usual = ::prctl(PR_GET_TIMERSLACK);
  ASSERT_GT(usual, 1);
  workloads::WorkerSleep(workloads::SleepMode::kSlack1, 2)();
  EXPECT_EQ(::prctl(PR_GET_TIMERSLACK), 1);
  workloads::WorkerSleep(workloads::SleepMode::kSpin, 2)();
  EXPECT_EQ(::prctl(PR_GET_TIMERSLACK), 1);
  workloads::WorkerSleep(workloads::SleepMode::kFaithful, 2)();
  EXPECT_EQ(::prctl(PR_GET_TIMERSLACK), usual);
}

}  // namespace

}  // namespace schedbench::tests::document_000_test

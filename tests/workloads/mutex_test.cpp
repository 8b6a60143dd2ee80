#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::mutex_test {

namespace {

TEST(MutexWorkload, DoesAllSectionsOfAllFibers) {
  const Outcome outcome = RunOnce("mutex:fibers=7,sections=300,critical_ns=50", "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 2100U);
}

TEST(MutexWorkload, DoesItWithoutAnyWorkInsideOrOutside) {
  EXPECT_EQ(RunOnce("mutex:sections=500,critical_ns=0,outside_ns=0", "global_fifo", 4).wrong, "");
}

TEST(MutexWorkload, ReportsWhenTheFirstFiberWasDoneAsAShareOfTheRound) {
  const Outcome outcome = RunOnce("mutex:fibers=4,sections=100", "fast", 2);
  EXPECT_GT(outcome["first_done"], 0);
  EXPECT_LE(outcome["first_done"], 1);
}

}  // namespace

}  // namespace schedbench::tests::mutex_test

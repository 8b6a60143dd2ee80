#include "tests/workloads/run_once.hpp"
#include "tests/workloads/starving_scheduler.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests::starve_lifo_test {

namespace {

// LifoSlot::MayRun() lets `lifo_limit` tasks run from the slot in a row while the queue is not
// empty, each of which is a player and hands over once; the next one is sent to the tail of the
// queue, and the third is its head. The count starts at 0, for the task that begins the wait was
// picked from a queue, which ends the row.
TEST(StarveLifo, WaitsOnOneWorkerOfFastForAsManyHandOversAsTheLimit) {
  for (const std::uint32_t limit : {1U, 3U, 10U, 1000U}) {
    const Outcome outcome =
        RunOnce("starve_lifo:waits=20", "fast:lifo_limit=" + std::to_string(limit), 1);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, 20U);
    EXPECT_EQ(outcome["handovers_mean"], limit);
    EXPECT_EQ(outcome["handovers_max"], limit);
  }
}

TEST(StarveLifo, WaitsForNoneWhereThereIsNoSlot) {
  for (const std::string scheduler : {"fast:lifo_limit=0", "global_fifo", "single_thread"}) {
    EXPECT_EQ(RunOnce("starve_lifo:waits=20", scheduler, 1)["handovers_max"], 0) << scheduler;
  }
}

TEST(StarveLifo, EndsWithAWrongAnswerWhereTheNewestTaskAlwaysComesFirst) {
  StarvingScheduler scheduler(StarvingScheduler::Order::kNewestFirst);
  const Outcome outcome = RunOnce("starve_lifo:patience=1", scheduler);
  EXPECT_EQ(outcome.wrong,
            "the third task did not run in wait 0 while 1000000 hand-overs were made");
  EXPECT_EQ(outcome.operations, 1U);
}

}  // namespace

}  // namespace schedbench::tests::starve_lifo_test

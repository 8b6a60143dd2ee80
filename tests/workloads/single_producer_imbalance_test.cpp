#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::single_producer_imbalance_test {

namespace {

TEST(SingleProducerImbalance, FindsNoTaskElsewhereOnOneWorker) {
  const Outcome outcome = RunOnce("single_producer_imbalance:tasks=100,body_ns=10", "fast", 1);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 100U);
  EXPECT_EQ(outcome["share_elsewhere"], 0);
  EXPECT_EQ(outcome["busiest_share"], 1);
  EXPECT_GT(outcome["first_elsewhere"], 0);  // the whole round
}

TEST(SingleProducerImbalance, FindsEachTaskElsewhereWhereEachHasItsOwnThread) {
  const Outcome outcome =
      RunOnce("single_producer_imbalance:tasks=40,body_ns=10", "thread_per_task", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome["share_elsewhere"], 1);
  EXPECT_EQ(outcome["busiest_share"], 1.0 / 40);
}

}  // namespace

}  // namespace schedbench::tests::single_producer_imbalance_test

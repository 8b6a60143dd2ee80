#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace schedbench::tests::strand_vs_mutex_test {

namespace {

TEST(StrandVsMutex, DoesAllSectionsBehindEachGuard) {
  for (const std::string guard : {"strand", "mutex_strand", "mutex", "thread_mutex"}) {
    const Outcome outcome = RunOnce(
        "strand_vs_mutex:clients=5,sections=333,shared_bytes=1000,outside_ns=0,guard=" + guard,
        "fast", 2);
    EXPECT_EQ(outcome.wrong, "") << guard;
    EXPECT_EQ(outcome.operations, 1665U) << guard;
  }
}

TEST(StrandVsMutex, HasNoBatchesUnderAMutex) {
  for (const std::string guard : {"mutex", "thread_mutex"}) {
    const Outcome outcome = RunOnce("strand_vs_mutex:sections=50,guard=" + guard, "fast", 2);
    EXPECT_EQ(outcome["batch_mean"], 0) << guard;
    EXPECT_EQ(outcome["batch_largest"], 0) << guard;
  }
}

// With one worker and one client the strand runs when the client waits: a batch is what it has
// submitted until then.
TEST(StrandVsMutex, WaitsForTheLastOfThisManyOutstandingSections) {
  for (const std::string guard : {"strand", "mutex_strand"}) {
    const std::string spec = "strand_vs_mutex:clients=1,guard=" + guard;
    const Outcome full = RunOnce(spec + ",sections=64,outstanding=16", "fast", 1);
    EXPECT_EQ(full["batch_mean"], 16) << guard;
    EXPECT_EQ(full["batch_largest"], 16) << guard;
    const Outcome rest = RunOnce(spec + ",sections=20,outstanding=16", "fast", 1);
    EXPECT_EQ(rest.wrong, "") << guard;
    EXPECT_EQ(rest["batch_mean"], 10) << guard;
    const Outcome each = RunOnce(spec + ",sections=20,outstanding=1", "fast", 1);
    EXPECT_EQ(each["batch_mean"], 1) << guard;
    EXPECT_EQ(each["batch_largest"], 1) << guard;
  }
}

TEST(StrandVsMutex, TakesSmallerWindowsThanItMayWhereThereAreFewerSections) {
  const Outcome outcome =
      RunOnce("strand_vs_mutex:clients=3,sections=2,outstanding=65536", "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 6U);
}

TEST(StrandVsMutex, RefusesMoreClientsThanFitIntoMemory) {
  EXPECT_THROW(MakeWorkload("strand_vs_mutex:clients=1000000,sections=1000000,outstanding=65536"),
               std::runtime_error);
}

}  // namespace

}  // namespace schedbench::tests::strand_vs_mutex_test

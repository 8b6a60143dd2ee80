#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::skynet_test {

namespace {

TEST(Skynet, IsATreeOfTensOverItsLeaves) {
  for (const std::string report : {"channel", "join"}) {
    const Outcome outcome = RunOnce("skynet:leaves=1000,report=" + report, "fast", 2);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, 1111U);
  }
}

TEST(Skynet, ForksCallsWithoutAFiberForEach) {
  for (const char* const scheduler : {"fast", "global_fifo"}) {
    const Outcome outcome = RunOnce("skynet:leaves=1000,fork=structured", scheduler, 2);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, 1111U);
  }
}

TEST(Skynet, SumsUpAnyNumberOfLeaves) {
  for (const std::uint32_t leaves : {1U, 2U, 9U, 10U, 11U, 99U, 101U, 12345U}) {
    const Outcome outcome = RunOnce("skynet:leaves=" + std::to_string(leaves), "fast", 2);
    EXPECT_EQ(outcome.wrong, "") << leaves;
    EXPECT_GE(outcome.operations, leaves);
    EXPECT_LE(outcome.operations, 2 * leaves);
  }
}

TEST(Skynet, NeedsNoMoreThanOneWorker) {
  EXPECT_EQ(RunOnce("skynet:leaves=5000", "single_thread", 1).wrong, "");
  EXPECT_EQ(RunOnce("skynet:leaves=5000,report=join", "global_fifo", 1).wrong, "");
}

}  // namespace

}  // namespace schedbench::tests::skynet_test

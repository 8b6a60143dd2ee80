#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::fib_test {

namespace {

// F(n + 1) - 1 calls have two branches.
TEST(Fib, StartsAFiberForEachForkOfTheDefinition) {
  for (const auto& [n, forks] : {std::pair{2, 1U}, {3, 2U}, {4, 4U}, {10, 88U}, {16, 1596U}}) {
    const std::string spec = "fib:n=" + std::to_string(n);
    const Outcome one = RunOnce(spec, "fast", 2);
    EXPECT_EQ(one.wrong, "");
    EXPECT_EQ(one.operations, forks) << n;
    const Outcome both = RunOnce(spec + ",branches=both", "fast", 2);
    EXPECT_EQ(both.wrong, "");
    EXPECT_EQ(both.operations, 2 * forks) << n;
  }
}

TEST(Fib, ForksCallsWithoutAFiberForEach) {
  for (const char* const branches : {"one", "both"}) {
    const auto scheduler = MakeScheduler("fast", 2);
    const Outcome outcome =
        RunOnce(std::string("fib:n=16,fork=structured,branches=") + branches, *scheduler);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, branches == std::string("one") ? 1596U : 2 * 1596U);
    std::uint64_t spawned = 0;
    for (const registry::WorkerReading& worker : scheduler->ReadWorkers()) {
      spawned += worker.values[metrics::MetricIndex("spawned")];
    }
    EXPECT_LT(spawned, 1000U);  // those that were stolen
  }
}

TEST(Fib, RunsAsManyFibersAsItSays) {
  const auto scheduler = MakeScheduler("global_fifo", 2);
  EXPECT_EQ(RunOnce("fib:n=12", *scheduler).wrong, "");
  // The first fiber comes from outside; each of the others is submitted by a worker, and again when
  // it is resumed.
  EXPECT_EQ(scheduler->ExternalSubmissions(), 1U);
  std::uint64_t submitted = 0;
  for (const registry::WorkerReading& worker : scheduler->ReadWorkers()) {
    submitted += worker.values[metrics::MetricIndex("tasks_submitted")];
  }
  EXPECT_GE(submitted, 232U);
  EXPECT_LE(submitted, 2 * 232U);
}

TEST(Fib, SaysTheLargestNumberWhoseFibersFitIntoMemory) {
  try {
    MakeWorkload("fib:n=42");
    FAIL() << "433 million fibers fit into this machine";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("the most that fit: fib:n="), std::string::npos)
        << error.what();
    const std::string what = error.what();
    EXPECT_NO_THROW(MakeWorkload(what.substr(what.find("fib:n="))));
  }
}

}  // namespace

}  // namespace schedbench::tests::fib_test

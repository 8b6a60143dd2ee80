#include "base/attributes.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <string>

// The examples of the Go article, as the user runs them.

namespace schedbench::tests::gmp_test {

namespace {

TEST(Gmp, AGreedyFiberWithoutPreemptionIsAReportedHangThatSaysWhy) {
  const Finished run = Schedbench({"run", "-c", "fast.json", "--workers", "1", "-w",
                                   "greedy:sleep_ms=50", "--timeout", "500ms"});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.error.find("STALL"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("no fiber is preempted (preempt=off)"), std::string::npos) << run.error;
}

TEST(Gmp, AGreedyFiberEndsWithPreemptionPoints) {
  const Finished run =
      Schedbench({"run", "-c", "gmp.json", "--workers", "1", "-w", "greedy:sleep_ms=100"});
  EXPECT_EQ(run.code, 0) << run.error;
}

#if !defined(SB_ASAN) && !defined(SB_TSAN)

TEST(Gmp, AGreedyFiberWithoutPreemptionPointsEndsWithSignals) {
  const Finished run = Schedbench({"run", "-c", "gmp.json", "--workers", "1", "--set",
                                   "preempt=signal", "-w", "greedy:sleep_ms=100,loop=spins"});
  EXPECT_EQ(run.code, 0) << run.error;
}

#else

TEST(Gmp, ASanitizedBuildSaysThatItHasNoSignals) {
  const Finished run =
      Schedbench({"run", "-c", "gmp.json", "--set", "preempt=signal", "-w", "greedy"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("preempt=signal is not available here"), std::string::npos) << run.error;
}

#endif

TEST(Gmp, ALongCallIsNotALostTask) {
  const Finished run = Schedbench({"run", "-c", "gmp.json", "--workers", "1", "--timeout", "500ms",
                                   "-w", "blocking_syscall:fibers=1,calls=1,call_us=10000000"});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.error.find("STALL"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("1 fiber is in blocking calls that handed off their worker"),
            std::string::npos)
      << run.error;
}

TEST(Gmp, ATableSaysHowManyThreadsRanTheWorkersAndWhereCallsReturned) {
  const Finished run = Schedbench({"run", "-c", "gmp.json", "--workers", "2", "-w",
                                   "blocking_syscall:preset=smoke", "-n", "3"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("P 2 workers    M at most "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("blocking calls 120    handoffs 120 (0 retaken)"), std::string::npos)
      << run.out;
}

TEST(Gmp, TooManyConnectionsForTheLimitOfDescriptorsAreAnErrorThatNamesTheLimitThatTheyNeed) {
  const Finished run = Execute({"sh", "-c",
                                "ulimit -n 300; exec " SCHEDBENCH_BINARY
                                " run -c gmp.json -w echo:connections=20000,messages=1 -n 1"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("of 20000 connections could be opened: Too many open files"),
            std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("ulimit -n 40200"), std::string::npos) << run.error;
}

}  // namespace

}  // namespace schedbench::tests::gmp_test

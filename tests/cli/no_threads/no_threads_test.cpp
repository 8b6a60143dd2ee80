#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <string>

// The system refuses a thread. A sanitizer's runtime has a pthread_create of its own in place of
// that which fails here.

namespace schedbench::tests::no_threads_test {

namespace {

#if defined(FAIL_THREAD_LIBRARY)

constexpr int kWorkers = 6;

Finished RunWithoutThread(const std::string& scheduler, int which) {
  return Schedbench({"run", "-s", scheduler, "--set", "workers=" + std::to_string(kWorkers), "-w",
                     "pingpong:pairs=2,rounds=100", "-n", "2", "--timeout", "20s"},
                    {.folder = "",
                     .environment = {{"LD_PRELOAD", FAIL_THREAD_LIBRARY},
                                     {"FAIL_THREAD", std::to_string(which)}}});
}

TEST(ThreadThatCannotBeStarted, WhicheverItIsEndsTheRunWithCode2AndTheLimitsByName) {
  for (const char* scheduler : {"fast", "global_fifo"}) {
    // The harness's own, and one per worker.
    for (int which = 0; which <= kWorkers; ++which) {
      const Finished run = RunWithoutThread(scheduler, which);
      EXPECT_EQ(run.code, 2) << scheduler << ", thread " << which << ": " << run.error;
      EXPECT_NE(run.error.find("cannot start a thread: Resource temporarily unavailable (limits: "
                               "ulimit -u, ulimit -v, cgroup pids.max, kernel.threads-max, "
                               "kernel.pid_max)\n"),
                std::string::npos)
          << scheduler << ", thread " << which << ": " << run.error;
      EXPECT_EQ(run.out, "");
    }
    EXPECT_EQ(RunWithoutThread(scheduler, kWorkers + 1).code, 0) << scheduler << ": there are more";
  }
}

TEST(ThreadThatCannotBeStarted, ForWantOfAddressSpaceEndsTheRunWithCode2AndTheLimitByName) {
  // A thread's stack is 8 MiB of address space: the limit lets the program start, and some of 1000
  // threads. What is refused first, the next stack or memory that a started worker asks for, is up
  // to their order.
  const Finished run =
      Execute({"sh", "-c",
               "ulimit -v 2000000; exec " SCHEDBENCH_BINARY
               " run -s global_fifo --set workers=1000 -w pingpong:pairs=2,rounds=10 -n 1"});
  EXPECT_EQ(run.code, 2) << run.error;
  EXPECT_TRUE(run.error.starts_with("error: ")) << run.error;
  EXPECT_NE(run.error.find("ulimit -v"), std::string::npos) << run.error;
}

#endif

}  // namespace

}  // namespace schedbench::tests::no_threads_test

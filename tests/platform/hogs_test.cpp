#include "platform/process/hogs.hpp"

#include "platform/threads/thread.hpp"
#include "platform/threads/worker_stalls.hpp"
#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace schedbench::tests::hogs_test {

namespace {

TEST(Hogs, AreProcessesThatEndWithTheObject) {
  {
    const platform::Hogs hogs(2);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), 0);  // there are children, and none has ended
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// In a process of its own: a pin holds for all workers that start later.
TEST(PinWorkersDeathTest, LetsEachWorkerRunOnOneCpu) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        platform::PinWorkers();
        int cpus = 0;
        platform::Thread(
            "worker-1",
            [&cpus] {
              cpu_set_t allowed;
              CPU_ZERO(&allowed);
              ::sched_getaffinity(0, sizeof(allowed), &allowed);
              cpus = CPU_COUNT(&allowed);
            },
            platform::ThreadRole::kWorker)
            .Join();
        std::exit(cpus);
      },
      testing::ExitedWithCode(1), "");
}

// The switches to wait in the kernel of a worker that computes for 100 ms.
std::uint64_t WaitsOfBusyWorker() {
  std::uint64_t waits = 0;
  platform::Thread(
      "worker-1",
      [&waits] {
        const std::uint64_t end = platform::NowNs() + 100'000'000;
        while (platform::NowNs() < end) {
        }
        rusage usage{};
        ::getrusage(RUSAGE_THREAD, &usage);
        waits = static_cast<std::uint64_t>(usage.ru_nvcsw);
      },
      platform::ThreadRole::kWorker)
      .Join();
  return waits;
}

TEST(StallWorkersDeathTest, StopsABusyWorkerManyTimes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const std::uint64_t undisturbed = WaitsOfBusyWorker();
        // 100 stalls on average.
        platform::StallWorkers({.share = 0.5, .stall_ns = 500'000});
        std::exit(WaitsOfBusyWorker() > undisturbed + 10 ? 1 : 2);
      },
      testing::ExitedWithCode(1), "");
}

}  // namespace

}  // namespace schedbench::tests::hogs_test

#include "platform/process/hogs.hpp"

#include "platform/threads/thread.hpp"
#include "platform/threads/worker_stalls.hpp"
#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <limits>

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

// The switches to wait in the kernel of a worker that computes until it has made `enough` of them,
// at most for `limit_ns`.
std::uint64_t WaitsOfBusyWorker(std::uint64_t enough, std::uint64_t limit_ns) {
  std::uint64_t waits = 0;
  platform::Thread(
      "worker-1",
      [&] {
        const std::uint64_t end = platform::NowNs() + limit_ns;
        while (waits < enough && platform::NowNs() < end) {
          rusage usage{};
          ::getrusage(RUSAGE_THREAD, &usage);
          waits = static_cast<std::uint64_t>(usage.ru_nvcsw);
        }
      },
      platform::ThreadRole::kWorker)
      .Join();
  return waits;
}

TEST(StallWorkersDeathTest, StopsABusyWorkerManyTimes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t undisturbed = WaitsOfBusyWorker(kNever, 100'000'000);
        // A thousand stalls in a second, on average. A busy machine takes longer.
        platform::StallWorkers({.share = 0.5, .stall_ns = 500'000});
        const std::uint64_t enough = undisturbed + 50;
        std::exit(WaitsOfBusyWorker(enough, 60'000'000'000) >= enough ? 1 : 2);
      },
      testing::ExitedWithCode(1), "");
}

}  // namespace

}  // namespace schedbench::tests::hogs_test

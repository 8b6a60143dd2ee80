#include "platform/process/hogs.hpp"

#include "platform/threads/thread.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include <sched.h>
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

}  // namespace

}  // namespace schedbench::tests::hogs_test

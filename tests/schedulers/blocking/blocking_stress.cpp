#include "fibers/sched/blocking.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/mutex.hpp"
#include "platform/time/clock.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <string>

namespace schedbench::tests::blocking_stress {

namespace {

// Short calls, long ones, and ones that say the wrong thing about themselves, between all other
// things that fibers do.
void LiveAndBlock(executors::IExecutor& pool, fibers::Mutex& mutex, std::uint64_t& sum,
                  std::atomic<int>& started, std::uint64_t seed, int steps) {
  std::mt19937_64 random(seed);
  for (int step = 0; step < steps; ++step) {
    switch (random() % 7) {
      case 0:
        fibers::Blocking([] {});
        break;
      case 1:
        fibers::Blocking([&] { platform::SleepForNs(random() % 50'000); });
        break;
      case 2:
        fibers::Syscall([] {});
        break;
      case 3:
        fibers::Syscall([&] { platform::SleepForNs(random() % 200'000); });
        break;
      case 4:
        fibers::Yield();
        break;
      case 5:
        started.fetch_add(1);
        fibers::Go(pool, [&, from = random()] {
          if (from % 2 == 0) {
            fibers::Syscall([] {});
          }
          started.fetch_sub(1);
        });
        break;
      default:
        fibers::Syscall([&] {
          const fibers::MutexLock lock(mutex);  // suspends in the call
        });
    }
    const fibers::MutexLock lock(mutex);
    ++sum;
  }
}

class BlockingStress : public testing::TestWithParam<std::string> {
 protected:
  const HangGuard hang_guard_{"a stress test of blocking calls"};
};

TEST_P(BlockingStress, NoStepIsLostWhateverFibersDoAndWhereverTheyBlock) {
  constexpr int kFibers = 40;
  constexpr int kSteps = 40;
  std::uint32_t round = 0;
  for (const StressTime time; !time.IsOver(); ++round) {
    const auto pool = MakeScheduler(GetParam(), 1 + round % 3);
    fibers::Mutex mutex;
    std::atomic<int> started{kFibers};
    std::uint64_t sum = 0;
    for (int fiber = 0; fiber < kFibers; ++fiber) {
      fibers::Go(*pool, [&, seed = Seed() + static_cast<std::uint64_t>(fiber)] {
        LiveAndBlock(*pool, mutex, sum, started, seed, kSteps);
        started.fetch_sub(1);
      });
    }
    if (round % 2 == 0) {
      pool->WaitIdle();
    }
    pool->Stop();
    EXPECT_EQ(sum, std::uint64_t{kFibers} * kSteps);
    EXPECT_EQ(started.load(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pools, BlockingStress,
    testing::Values(
        "fast:blocking=hand_off,wait_idle=fibers",
        "fast:blocking=hand_off,wait_idle=fibers,syscall_retake_us=1",
        "fast:blocking=hand_off,wait_idle=fibers,max_threads=4,syscall_retake_us=1",
        "fast:blocking=hand_off,wait_idle=fibers,lifo_steal=never,local_queue_capacity=4",
        "fast:blocking=hand_off,wait_idle=fibers,global_queue=lock_free"),
    [](const auto& info) { return TestNameOf(info.param); });

}  // namespace

}  // namespace schedbench::tests::blocking_stress

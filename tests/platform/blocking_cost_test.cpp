#include "platform/time/blocking_cost.hpp"

#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace schedbench::tests::blocking_cost_test {

namespace {

using platform::BlockingCall;
using platform::CountBlockingCosts;
using platform::CountedBlockingCost;

constexpr std::uint64_t kMillisecond = 1'000'000;

class BlockingCost : public testing::Test {
 protected:
  BlockingCost() {
    platform::CountBlockingCostsOfThisThread();
  }

  ~BlockingCost() override {
    CountBlockingCosts(false);
  }
};

TEST_F(BlockingCost, IsTheCpuTimeOfEachSleepAndNotItsLength) {
  CountBlockingCosts(true);
  for (int sleep = 0; sleep < 3; ++sleep) {
    platform::SleepForNs(5 * kMillisecond);
  }
  platform::SleepUntilNs(platform::NowNs() + kMillisecond);
  const platform::BlockingCost sleeps = CountedBlockingCost(BlockingCall::kSleep);
  EXPECT_EQ(sleeps.calls, 4u);
  EXPECT_GT(sleeps.cpu_ns, 0u);
  EXPECT_LT(sleeps.cpu_ns, 5 * kMillisecond);
}

TEST_F(BlockingCost, CountsWaitsThatAWakeUpEnded) {
  CountBlockingCosts(true);
  platform::ThreadEvent asked;
  platform::ThreadEvent answered;
  platform::Thread other("answers", [&] {
    platform::SleepForNs(20 * kMillisecond);
    answered.Set();
  });
  EXPECT_FALSE(asked.WaitFor(std::chrono::milliseconds(1)));
  EXPECT_EQ(CountedBlockingCost(BlockingCall::kFutexWait).calls, 0u);
  answered.Wait();
  EXPECT_EQ(CountedBlockingCost(BlockingCall::kFutexWait).calls, 1u);
}

TEST_F(BlockingCost, LeavesOutThreadsThatDidNotAskForIt) {
  CountBlockingCosts(true);
  {
    const platform::Thread other("sleeps", [] { platform::SleepForNs(1); });
  }
  EXPECT_EQ(CountedBlockingCost(BlockingCall::kSleep).calls, 0u);
}

TEST_F(BlockingCost, StartsFromZeroAndStops) {
  CountBlockingCosts(true);
  platform::SleepForNs(1);
  CountBlockingCosts(false);
  platform::SleepForNs(1);
  EXPECT_EQ(CountedBlockingCost(BlockingCall::kSleep).calls, 1u);
  CountBlockingCosts(true);
  EXPECT_EQ(CountedBlockingCost(BlockingCall::kSleep).calls, 0u);
}

}  // namespace

}  // namespace schedbench::tests::blocking_cost_test

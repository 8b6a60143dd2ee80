#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace schedbench::platform::clock_test {

namespace {

using namespace std::chrono_literals;

// Waits without being paused for it.
void SpinFor(std::chrono::nanoseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(NowNs, RunsAsFastAsTheSteadyClockAndNeverBack) {
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t first = NowNs();
  std::uint64_t last = first;
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t now = NowNs();
    ASSERT_GE(now, last);
    last = now;
  }
  const auto passed = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(last - first, static_cast<std::uint64_t>(passed / 1ns));
}

TEST(SleepUntilNs, ReturnsNotBeforeItsTime) {
  const std::uint64_t time = NowNs() + 2'000'000;
  SleepUntilNs(time);
  EXPECT_GE(NowNs(), time);
}

TEST(SleepUntilNs, ReturnsWhereItsTimeHasPassed) {
  SleepUntilNs(0);
  SleepUntilNs(NowNs() - 1);
}

TEST(TickClock, NeverGoesBackOnOneThread) {
  std::uint64_t last = TickClock::Now();
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t now = TickClock::Now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(TickClock, MeasuresWhatTheMonotonicClockMeasures) {
  const double ns_per_tick = TickClock::NsPerTick();
  EXPECT_GT(ns_per_tick, 0.05);  // 20 GHz
  EXPECT_LT(ns_per_tick, 1000);
  const std::uint64_t ns = NowNs();
  const std::uint64_t ticks = TickClock::Now();
  SpinFor(20ms);
  const auto by_ticks = static_cast<double>(TickClock::Now() - ticks) * ns_per_tick;
  const auto by_ns = static_cast<double>(NowNs() - ns);
  // Between the two pairs of readings the thread may lose the CPU, which only ever makes one of them longer.
  EXPECT_NEAR(by_ticks / by_ns, 1, 0.2);
}

TEST(TickClock, KeepsTheLengthOfItsTick) {
  const double first = TickClock::NsPerTick();
  SpinFor(10ms);
  EXPECT_NEAR(TickClock::NsPerTick() / first, 1, 0.02);
}

TEST(ProcessCpuNs, CountsTheWorkOfAllThreads) {
  const std::uint64_t before = ProcessCpuNs();
  std::thread([] {
    // By the CPU time of the process, so that a busy machine only makes it take longer.
    const std::uint64_t begin = ProcessCpuNs();
    while (ProcessCpuNs() - begin < 10'000'000U) {
    }
  }).join();
  EXPECT_GE(ProcessCpuNs() - before, 10'000'000U);
}

TEST(ProcessCpuNs, DoesNotCountSleep) {
  const std::uint64_t before = ProcessCpuNs();
  // What is tested: the pause itself.
  std::this_thread::sleep_for(50ms);
  EXPECT_LT(ProcessCpuNs() - before, 25'000'000U);
}

}  // namespace

}  // namespace schedbench::platform::clock_test

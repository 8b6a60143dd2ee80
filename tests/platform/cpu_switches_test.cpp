#include "platform/threads/cpu_switches.hpp"

#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include <sched.h>

namespace schedbench::platform::cpu_switches_test {

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

// The recorder of the calling thread.
std::unique_ptr<CpuSwitches> OfThisThread(std::size_t pages = CpuSwitches::kMostPages) {
  std::string refusal;
  return CpuSwitches::Open(KernelThreadId(), refusal, pages);
}

// Some containers refuse it.
std::string WhyNoSwitches() {
  std::string refusal;
  const auto switches = CpuSwitches::Open(KernelThreadId(), refusal);
  EXPECT_EQ(switches == nullptr, !refusal.empty());
  return refusal;
}

TEST(CpuSwitches, ShowASleepAsATimeInTheKernel) {
  SCHEDBENCH_SKIP_IF(WhyNoSwitches());
  const auto switches = OfThisThread();
  // What is tested: a sleep before the recording, and one in it.
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  switches->Begin();
  const std::uint64_t begin_ns = NowNs();
  // What is tested: this sleep.
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const std::uint64_t end_ns = NowNs();
  const CpuSwitches::Log log = switches->Stop();
  EXPECT_EQ(log.complete_from_ns, 0u);
  // Not the first one: a page fault may come before the sleep.
  const auto sleep = std::ranges::find_if(log.times, [](const OffCpu& time) {
    return !time.preempted && time.end_ns - time.start_ns >= kMillisecond;
  });
  ASSERT_NE(sleep, log.times.end());
  EXPECT_GE(sleep->start_ns, begin_ns);
  EXPECT_LE(sleep->end_ns, end_ns);
}

TEST(CpuSwitches, ShowWhenAnotherThreadHadTheCpu) {
  SCHEDBENCH_SKIP_IF(WhyNoSwitches());
  // A thread of its own, because it stays on one CPU.
  std::thread([] {
    const auto switches = OfThisThread();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(CurrentCpu(), &one);
    EXPECT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
    std::atomic<bool> done = false;
    std::thread rival([&done] {  // on the same CPU
      while (!done) {
      }
    });
    switches->Begin();
    const std::uint64_t begin_ns = NowNs();
    while (ThreadCpuNs(0) < 5 * kMillisecond || NowNs() - begin_ns < 20 * kMillisecond) {
    }
    const CpuSwitches::Log log = switches->Stop();
    done = true;
    rival.join();
    EXPECT_TRUE(std::ranges::any_of(log.times, &OffCpu::preempted));
  }).join();
}

TEST(CpuSwitches, KeepTheLastOnes) {
  SCHEDBENCH_SKIP_IF(WhyNoSwitches());
  const auto switches = OfThisThread(1);
  switches->Begin();
  std::uint64_t last_ns = 0;
  for (int i = 0; i < 300; ++i) {
    last_ns = NowNs();
    // What is tested: the switches of many sleeps.
    std::this_thread::sleep_for(std::chrono::nanoseconds(1));
  }
  const CpuSwitches::Log log = switches->Stop();
  EXPECT_GT(log.complete_from_ns, 0u);
  ASSERT_GT(log.times.size(), 50u);
  EXPECT_GE(log.times.back().end_ns, last_ns);
  EXPECT_TRUE(std::ranges::is_sorted(log.times, {}, &OffCpu::start_ns));
  EXPECT_TRUE(std::ranges::all_of(log.times, [&](const OffCpu& time) {
    return time.start_ns <= time.end_ns && time.start_ns >= log.complete_from_ns;
  }));
}

TEST(CpuSwitches, OfNoThreadAreRefusedWithTheReason) {
  std::string refusal;
  EXPECT_EQ(CpuSwitches::Open(0x3fffffff, refusal), nullptr);
  EXPECT_NE(refusal.find("perf_event_open: "), std::string::npos) << refusal;
}

}  // namespace

}  // namespace schedbench::platform::cpu_switches_test

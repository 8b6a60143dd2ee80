#include "platform/signals/sample_timer.hpp"

#include "base/attributes.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace schedbench::platform::sample_timer_test {

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

// Counts its calls, and on which thread.
class Counting final : public ISampleSink {
 public:
  void OnSample(const MachineState& interrupted, std::uint32_t periods) noexcept override {
    samples += 1;
    weight += periods;
    elsewhere += KernelThreadId() != thread ? 1 : 0;
    unknown += interrupted.program_counter == 0 || interrupted.stack_pointer == 0 ? 1 : 0;
  }

  int thread = KernelThreadId();
  std::atomic<std::uint64_t> samples{0};
  std::atomic<std::uint64_t> weight{0};
  std::atomic<std::uint64_t> elsewhere{0};
  std::atomic<std::uint64_t> unknown{0};
};

void Burn(std::uint64_t cpu_ns) {
  const int self = KernelThreadId();
  const std::uint64_t end = ThreadCpuNs(self) + cpu_ns;
  while (ThreadCpuNs(self) < end) {
    // Mostly not in the kernel, where not every user may look.
    for (int spin = 0; spin < 10'000; ++spin) {
      asm volatile("");
    }
  }
}

TEST(ThreadCpuNs, GrowsWithTheThreadsOwnWorkOnly) {
  const int self = KernelThreadId();
  const std::uint64_t before = ThreadCpuNs(self);
  std::thread other([] { Burn(50 * kMillisecond); });
  other.join();
  EXPECT_LT(ThreadCpuNs(self) - before, 40 * kMillisecond);
  Burn(5 * kMillisecond);
  EXPECT_GE(ThreadCpuNs(self) - before, 5 * kMillisecond);
  EXPECT_EQ(ThreadCpuNs(1 << 22), 0u);
}

#if defined(SB_TSAN)

TEST(SampleTimer, IsRefusedWhereTheSanitizerHoldsSignalsBack) {
  Counting counting;
  std::string refusal;
  EXPECT_EQ(
      SampleTimer::Start(SampleClock::kCpuTimer, counting.thread, kMillisecond, counting, refusal),
      nullptr);
  EXPECT_EQ(refusal, "ThreadSanitizer holds signals back");
}

#else

// Uses at least so much CPU time and continues until the next sample of this thread. The CPU timer
// samples at the kernel's ticks, and on a busy machine a thread may run for long between two ticks;
// a sample stands for all the time since the last one.
void BurnUntilSampled(const std::atomic<std::uint64_t>& samples, std::uint64_t cpu_ns) {
  Burn(cpu_ns);
  const std::uint64_t before = samples;
  while (samples == before) {
    Burn(kMillisecond / 10);
  }
}

class SampleTimerTest : public testing::TestWithParam<SampleClock> {
 protected:
  std::unique_ptr<SampleTimer> Start(Counting& counting) {
    return SampleTimer::Start(GetParam(), counting.thread, kMillisecond, counting, refusal_);
  }

  // Containers and hardened kernels refuse perf: then it says so, and there is nothing more to ask
  // of it.
  bool IsRefused(const std::unique_ptr<SampleTimer>& timer) {
    if (timer == nullptr) {
      EXPECT_EQ(GetParam(), SampleClock::kTaskClock);
      EXPECT_TRUE(refusal_.starts_with("perf_event_open: ")) << refusal_;
    }
    return timer == nullptr;
  }

  const tests::HangGuard hang_guard_{"a sample timer that does not sample"};
  std::string refusal_;
};

TEST_P(SampleTimerTest, ReportsAsManyPeriodsAsTheThreadHasUsed) {
  Counting counting;
  const auto timer = Start(counting);
  if (IsRefused(timer)) {
    return;
  }
  const std::uint64_t begin = ThreadCpuNs(counting.thread);
  BurnUntilSampled(counting.samples, 200 * kMillisecond);
  const std::uint64_t used = (ThreadCpuNs(counting.thread) - begin) / kMillisecond;
  EXPECT_GE(counting.weight, used * 3 / 4);
  EXPECT_LE(counting.weight, used * 5 / 4);
  EXPECT_LE(counting.samples, counting.weight);
  EXPECT_EQ(counting.elsewhere, 0u);
  EXPECT_EQ(counting.unknown, 0u);
}

TEST_P(SampleTimerTest, SamplesAnotherThreadAndNotItself) {
  std::atomic<int> thread{0};
  std::atomic<bool> go{false};
  bool started = false;  // written before go
  Counting counting;
  std::thread other([&] {
    thread = KernelThreadId();
    thread.notify_one();
    go.wait(false);
    if (started) {
      BurnUntilSampled(counting.samples, 100 * kMillisecond);
    }
  });
  thread.wait(0);
  counting.thread = thread;
  const auto timer = Start(counting);
  started = timer != nullptr;
  go = true;
  go.notify_one();
  other.join();
  if (IsRefused(timer)) {
    return;
  }
  EXPECT_GE(counting.weight, 60u);
  EXPECT_EQ(counting.elsewhere, 0u);
}

TEST_P(SampleTimerTest, ReportsNothingOnceItIsDestroyed) {
  Counting counting;
  auto timer = Start(counting);
  if (IsRefused(timer)) {
    return;
  }
  Burn(20 * kMillisecond);
  timer = nullptr;
  const std::uint64_t samples = counting.samples;
  Burn(50 * kMillisecond);
  EXPECT_EQ(counting.samples, samples);
}

TEST_P(SampleTimerTest, LeavesSignalsAloneThatAreNotItsOwn) {
  Counting counting;
  const auto timer = Start(counting);
  if (IsRefused(timer)) {
    return;
  }
  const std::uint64_t samples = counting.samples;
  std::raise(SIGPROF);
  EXPECT_LE(counting.samples, samples + 1);  // one may have come by itself
}

TEST_P(SampleTimerTest, SaysWhyItCannotBeHad) {
  Counting counting;
  EXPECT_EQ(SampleTimer::Start(GetParam(), 1 << 22, kMillisecond, counting, refusal_), nullptr);
  EXPECT_TRUE(refusal_.starts_with(GetParam() == SampleClock::kTaskClock ? "perf_event_open: "
                                                                         : "timer_create: "))
      << refusal_;
}

TEST_P(SampleTimerTest, GivesItsPlaceBack) {
  Counting counting;
  for (int i = 0; i < 2000; ++i) {
    if (IsRefused(Start(counting))) {
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Clocks, SampleTimerTest,
                         testing::Values(SampleClock::kTaskClock, SampleClock::kCpuTimer),
                         [](const auto& info) {
                           return info.param == SampleClock::kTaskClock ? "TaskClock" : "CpuTimer";
                         });

#endif

}  // namespace

}  // namespace schedbench::platform::sample_timer_test

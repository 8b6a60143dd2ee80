#include "profile/sampling/sampler.hpp"

#include "base/attributes.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"
#include "profile/folded.hpp"
#include "profile/symbolized_profile.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace schedbench::profile::sampler_test {

namespace {

using platform::SampleClock;

#if defined(SB_TSAN)

TEST(Sampler, SaysWhyItCannotSample) {
  const std::array workers{ProfiledWorker{.index = 0, .thread = platform::KernelThreadId()}};
  try {
    const Sampler sampler({}, workers);
    FAIL();
  } catch (const SamplingRefused& refused) {
    EXPECT_STREQ(
        refused.what(),
        "no clock for sampling: perf task clock: ThreadSanitizer holds signals back; thread "
        "CPU timer: ThreadSanitizer holds signals back");
  }
}

#else

constexpr std::uint64_t kMillisecond = 1'000'000;

// Uses at least so much CPU time.
SB_NOINLINE void Burn(std::uint64_t cpu_ns) {
  const int thread = platform::KernelThreadId();
  const std::uint64_t end = platform::ThreadCpuNs(thread) + cpu_ns;
  while (platform::ThreadCpuNs(thread) < end) {
    // Mostly not in the kernel, where not every user may look.
    for (int spin = 0; spin < 10'000; ++spin) {
      asm volatile("");
    }
  }
}

// Uses at least so much CPU time and continues until the next sample. The CPU timer samples at the
// kernel's ticks, and on a busy machine a thread may run for long between two ticks; a sample
// stands for all the time since the last one.
void BurnUntilSampled(Sampler& sampler, std::uint64_t cpu_ns) {
  Burn(cpu_ns);
  sampler.Collect();
  const std::size_t before = sampler.Raw().samples.size();
  while (sampler.Raw().samples.size() == before) {
    Burn(kMillisecond / 10);
    sampler.Collect();
  }
}

// One worker, and its thread.
class SamplerTest : public testing::TestWithParam<SampleClock> {
 protected:
  SamplerTest() {
    Run([this] { worker_.thread = platform::KernelThreadId(); });
  }

  void Run(std::function<void()> body, const std::string& name = "") {
    fibers::Go(*scheduler_, std::move(body), {.name = name});
    scheduler_->WaitIdle();
  }

  std::span<const ProfiledWorker> Workers() const {
    return {&worker_, 1};
  }

  SamplerOptions Options(unsigned ring_bits = 18) const {
    return {.period_ns = kMillisecond, .clock = clock_, .ring_bits = ring_bits};
  }

  // The asked one, or the other where that is refused, as perf is in containers.
  static SampleClock Available(std::span<const ProfiledWorker> workers) {
    try {
      Sampler({.period_ns = kMillisecond, .clock = GetParam()}, workers).Stop();
      return GetParam();
    } catch (const SamplingRefused&) {
      return SampleClock::kCpuTimer;
    }
  }

  const tests::HangGuard hang_guard_{"a test of the sampler"};
  std::unique_ptr<registry::IScheduler> scheduler_ = tests::MakeScheduler("fast", 1);
  ProfiledWorker worker_;
  SampleClock clock_ = SampleClock::kCpuTimer;
};

// The share of the weight of stacks that begin so.
double Share(const FoldedStacks& stacks, std::string_view begin) {
  std::uint64_t sum = 0;
  std::uint64_t of_those = 0;
  for (const auto& [stack, weight] : stacks) {
    sum += weight;
    of_those += stack.starts_with(begin) ? weight : 0;
  }
  return static_cast<double>(of_those) / static_cast<double>(sum);
}

TEST_P(SamplerTest, SharesTheTimeAmongFibersAsTheyHaveUsedIt) {
  clock_ = Available(Workers());
  Sampler sampler(Options(), Workers());
  // Each turn ends with a sample, so that no time of one fiber is in a sample of the other.
  const auto use = [&sampler](std::uint64_t cpu_ns, double& used_ns) {
    const int thread = platform::KernelThreadId();
    for (int turn = 0; turn < 4; ++turn) {
      const std::uint64_t begin = platform::ThreadCpuNs(thread);
      BurnUntilSampled(sampler, cpu_ns);
      used_ns += static_cast<double>(platform::ThreadCpuNs(thread) - begin);
      fibers::Yield();
    }
  };
  double heavy_ns = 0;
  double light_ns = 0;
  Run([&] {
    fibers::Go([&] { use(75 * kMillisecond, heavy_ns); }, {.name = "heavy"});
    fibers::Go([&] { use(25 * kMillisecond, light_ns); }, {.name = "light (1)"});
  });
  const SamplingReport report = sampler.Stop();
  EXPECT_EQ(report.clock, clock_);
  EXPECT_EQ(report.lost, 0u);
  EXPECT_GE(report.cpu_ns, 400 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(report.weight_ns), static_cast<double>(report.cpu_ns),
              0.15 * static_cast<double>(report.cpu_ns));
  EXPECT_LE(report.truncated * 10, report.samples);

  const FoldedStacks stacks = Fold(Symbolized(sampler.Raw(), Show::kOwn), {});
  const double heavy = heavy_ns / (heavy_ns + light_ns);
  EXPECT_NEAR(Share(stacks, "fiber:heavy;"), heavy, 0.05);
  EXPECT_NEAR(Share(stacks, "fiber:light [1];"), 1 - heavy, 0.05);
}

TEST_P(SamplerTest, ShowsTheCallsFromWhereTheFiberBeginsToWhereItWas) {
  clock_ = Available(Workers());
  Sampler sampler(Options(), Workers());
  Run([&] { BurnUntilSampled(sampler, 100 * kMillisecond); }, "burner");
  EXPECT_GT(sampler.Stop().samples, 0u);
  bool found = false;
  for (const auto& [stack, weight] : Fold(Symbolized(sampler.Raw(), Show::kOwn), {})) {
    const auto burn =
        stack.find(";schedbench::profile::sampler_test::{anonymous}::BurnUntilSampled");
    if (stack.starts_with("fiber:burner;") && burn != std::string::npos) {
      found = true;
      EXPECT_EQ(stack.find("FiberStack::Loop"), std::string::npos) << stack;
      EXPECT_EQ(stack.find("RunBody"), std::string::npos) << stack;
    }
  }
  EXPECT_TRUE(found);
  const FoldedStacks whole = Fold(Symbolized(sampler.Raw(), Show::kWorker), {});
  EXPECT_GT(Share(whole, "fiber:burner;"), 0.5);
  EXPECT_TRUE(std::ranges::any_of(whole, [](const auto& entry) {
    return entry.first.find("FiberStack::Loop") != std::string::npos;
  }));
}

TEST_P(SamplerTest, CallsAFiberWithoutANameByThePlaceWhereItWasStarted) {
  clock_ = Available(Workers());
  Sampler sampler(Options(), Workers());
  Run([&] { BurnUntilSampled(sampler, 50 * kMillisecond); });
  sampler.Stop();
  EXPECT_GT(Share(Fold(Symbolized(sampler.Raw(), Show::kOwn), {}), "fiber:sampler_test.cpp:"), 0.5);
}

TEST_P(SamplerTest, CountsWhatItLosesForWantOfRoom) {
  clock_ = Available(Workers());
  std::uint64_t lost = 0;
  while (lost == 0) {
    Sampler sampler(Options(7), Workers());  // room for a few
    Run([] { Burn(100 * kMillisecond); });
    const SamplingReport report = sampler.Stop();
    EXPECT_EQ(report.samples, sampler.Raw().samples.size());
    EXPECT_TRUE(report.lost == 0 || report.samples > 0);
    lost = report.lost;
  }
}

TEST_P(SamplerTest, HasNoSamplesOfAWorkerThatSleeps) {
  clock_ = Available(Workers());
  Sampler sampler(Options(), Workers());
  const SamplingReport report = sampler.Stop();
  EXPECT_LE(report.samples, 1u);
  EXPECT_LE(Sampler({.period_ns = kMillisecond, .clock = clock_}, {}).Stop().samples, 0u);
}

INSTANTIATE_TEST_SUITE_P(Clocks, SamplerTest,
                         testing::Values(SampleClock::kTaskClock, SampleClock::kCpuTimer),
                         [](const auto& info) {
                           return info.param == SampleClock::kTaskClock ? "TaskClock" : "CpuTimer";
                         });

#endif

}  // namespace

}  // namespace schedbench::profile::sampler_test

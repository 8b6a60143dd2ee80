#include "base/attributes.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/this_thread.hpp"
#include "profile/folded.hpp"
#include "profile/sampler.hpp"
#include "profile/symbolize.hpp"
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
        "no clock to sample by: perf task clock: ThreadSanitizer holds signals back; thread "
        "CPU timer: ThreadSanitizer holds signals back");
  }
}

#else

constexpr std::uint64_t kMillisecond = 1'000'000;

// A CPU timer expires at the kernel's next tick (4 ms, or 10 ms with CONFIG_HZ=100) and gives all the time since the last
// sample to one fiber. So fibers take turns rarely, and not at a multiple of a tick, which would give every sample to one.
constexpr std::uint64_t kLongStepNs = 53 * kMillisecond;

// Uses so much CPU time in steps, with a yield after each.
SB_NOINLINE void BurnInSteps(std::uint64_t step_ns, int steps) {
  for (int i = 0; i < steps; ++i) {
    const int thread = platform::KernelThreadId();
    const std::uint64_t end = platform::ThreadCpuNs(thread) + step_ns;
    while (platform::ThreadCpuNs(thread) < end) {
      // Mostly not in the kernel, where not every user may look.
      for (int spin = 0; spin < 10'000; ++spin) {
        asm volatile("");
      }
    }
    fibers::Yield();
  }
}

// One worker, and its thread.
class SamplerTest : public testing::TestWithParam<SampleClock> {
 protected:
  SamplerTest() {
    Run([this] {
      worker_.thread = platform::KernelThreadId();
    });
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
  fibers::Go(*scheduler_,
             [] {
               fibers::Go(
                   [] {
                     BurnInSteps(kLongStepNs, 6);
                   },
                   {.name = "heavy"});
               fibers::Go(
                   [] {
                     BurnInSteps(kLongStepNs, 2);
                   },
                   {.name = "light (1)"});
             },
             {});
  scheduler_->WaitIdle();
  const SamplingReport report = sampler.Stop();
  EXPECT_EQ(report.clock, clock_);
  EXPECT_EQ(report.lost, 0u);
  EXPECT_GE(report.cpu_ns, 400 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(report.weight_ns), static_cast<double>(report.cpu_ns),
              0.15 * static_cast<double>(report.cpu_ns));
  EXPECT_LE(report.truncated * 10, report.samples);

  const FoldedStacks stacks = Fold(Symbolized(sampler.Raw(), Show::kOwn), {});
  EXPECT_NEAR(Share(stacks, "fiber:heavy;"), 0.75, 0.08);
  EXPECT_NEAR(Share(stacks, "fiber:light [1];"), 0.25, 0.08);
}

TEST_P(SamplerTest, ShowsTheCallsFromWhereTheFiberBeginsToWhereItWas) {
  clock_ = Available(Workers());
  Sampler sampler(Options(), Workers());
  Run(
      [] {
        BurnInSteps(100 * kMillisecond, 1);
      },
      "burner");
  EXPECT_GT(sampler.Stop().samples, 0u);
  bool found = false;
  for (const auto& [stack, weight] : Fold(Symbolized(sampler.Raw(), Show::kOwn), {})) {
    const auto burn = stack.find(";schedbench::profile::sampler_test::{anonymous}::BurnInSteps");
    if (stack.starts_with("fiber:burner;") && burn != std::string::npos) {
      found = true;
      EXPECT_EQ(stack.find("Continuation::Loop"), std::string::npos) << stack;
      EXPECT_EQ(stack.find("RunBody"), std::string::npos) << stack;
    }
  }
  EXPECT_TRUE(found);
  const FoldedStacks whole = Fold(Symbolized(sampler.Raw(), Show::kWorker), {});
  EXPECT_GT(Share(whole, "fiber:burner;"), 0.5);
  EXPECT_TRUE(std::ranges::any_of(whole, [](const auto& entry) {
    return entry.first.find("Continuation::Loop") != std::string::npos;
  }));
}

TEST_P(SamplerTest, CallsAFiberWithoutANameByThePlaceWhereItWasStarted) {
  clock_ = Available(Workers());
  Sampler sampler(Options(), Workers());
  Run([] {
    BurnInSteps(50 * kMillisecond, 1);
  });
  sampler.Stop();
  EXPECT_GT(Share(Fold(Symbolized(sampler.Raw(), Show::kOwn), {}), "fiber:unit.cpp:"), 0.5);
}

TEST_P(SamplerTest, CountsWhatItLosesForWantOfRoom) {
  clock_ = Available(Workers());
  Sampler sampler(Options(7), Workers());  // room for a few
  Run([] {
    BurnInSteps(100 * kMillisecond, 1);
  });
  const SamplingReport report = sampler.Stop();
  EXPECT_GT(report.lost, 0u);
  EXPECT_GT(report.samples, 0u);
  EXPECT_EQ(report.samples, sampler.Raw().samples.size());
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

#include "profile/sampling/worker_sampling.hpp"

#include "base/attributes.hpp"
#include "executors/submit.hpp"
#include "platform/time/clock.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace schedbench::profile::worker_sampling_test {

namespace {

#if !defined(SB_TSAN)

constexpr std::uint64_t kMillisecond = 1'000'000;

void Burn(std::uint64_t ns) {
  const std::uint64_t end = platform::ThreadCpuNs(0) + ns;
  while (platform::ThreadCpuNs(0) < end) {
    for (int spin = 0; spin < 10'000; ++spin) {
      asm volatile("");
    }
  }
}

std::set<std::uint32_t> WorkersSampled(const WorkerSampling& sampling) {
  std::set<std::uint32_t> workers;
  for (const Sample& sample : sampling.Raw().samples) {
    workers.insert(sampling.Raw().workers[sample.worker].index);
  }
  return workers;
}

class WorkerSamplingTest : public testing::TestWithParam<const char*> {
 protected:
  const tests::HangGuard hang_guard_{"a test of sampled workers"};
};

TEST_P(WorkerSamplingTest, FindsTheWorkersOfASchedulerByItself) {
  WorkerSampling sampling({.period_ns = kMillisecond, .clock = {}, .ring_bits = 16});
  {
    const auto scheduler = tests::MakeScheduler(GetParam(), 2);
    for (int task = 0; task < 8; ++task) {
      executors::Submit(*scheduler, [] { Burn(20 * kMillisecond); });
    }
    scheduler->WaitIdle();
  }
  const SamplingReport report = sampling.Stop();
  EXPECT_GE(report.cpu_ns, 160 * kMillisecond);
  EXPECT_GE(2 * report.weight_ns, report.cpu_ns);
  EXPECT_FALSE(WorkersSampled(sampling).empty());
  EXPECT_EQ(sampling.Stop().samples, report.samples) << "what was known is said once more";
}

INSTANTIATE_TEST_SUITE_P(Schedulers, WorkerSamplingTest,
                         testing::Values("fast", "global_fifo", "bounded_pool", "thread_per_task"),
                         [](const auto& info) { return std::string(info.param); });

TEST(WorkerSampling, TakesTheWorkersNumbersFromTheirNames) {
  WorkerSampling sampling({.period_ns = kMillisecond, .clock = {}, .ring_bits = 16});
  tests::MakeScheduler("fast", 2).reset();  // when it is gone, all its workers have been there
  sampling.Stop();
  std::set<std::uint32_t> numbers;
  for (const ProfiledWorker& worker : sampling.Raw().workers) {
    numbers.insert(worker.index);
  }
  EXPECT_EQ(numbers, (std::set<std::uint32_t>{0, 1}));
}

TEST(WorkerSampling, ForgetsWhatWasBeforeARestart) {
  WorkerSampling sampling({.period_ns = kMillisecond, .clock = {}, .ring_bits = 16});
  const auto scheduler = tests::MakeScheduler("fast", 1);
  executors::Submit(*scheduler, [] { Burn(50 * kMillisecond); });
  scheduler->WaitIdle();
  sampling.Restart();
  const SamplingReport report = sampling.Stop();
  EXPECT_LE(report.samples, 2u);
  EXPECT_LT(report.cpu_ns, 20 * kMillisecond);
  ASSERT_EQ(report.times.size(), 1u);
  EXPECT_EQ(sampling.Raw().workers.size(), 1u);
}

#endif

}  // namespace

}  // namespace schedbench::profile::worker_sampling_test

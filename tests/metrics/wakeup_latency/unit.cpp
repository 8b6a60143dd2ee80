#include "metrics/wakeup_latency.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace schedbench::metrics {

namespace {

// Which of `count` tasks the sampler stamps.
std::vector<std::uint32_t> Sampled(std::uint64_t seed, std::uint32_t count) {
  ReadySampler sampler(seed);
  std::vector<std::uint32_t> sampled;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t stamp = 0;
    sampler.OnReady(stamp);
    if (stamp != 0) {
      sampled.push_back(i);
    }
  }
  return sampled;
}

TEST(ReadySampler, StampsOneTaskInSixtyFourOnTheAverage) {
  constexpr std::uint32_t kCount = 1'000'000;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const auto sampled = Sampled(seed, kCount);
    const double expected = static_cast<double>(kCount) / ReadySampler::kMeanPeriod;
    // Distances are even over 1 .. 127: deviation 36.7, so that the number of them has one of 0.57 of the root
    // of the number. The seeds are fixed: this cannot fail by chance.
    EXPECT_NEAR(static_cast<double>(sampled.size()), expected, 5 * 0.57 * std::sqrt(expected));
  }
}

TEST(ReadySampler, KeepsNoRhythm) {
  const auto sampled = Sampled(1, 100000);
  std::set<std::uint32_t> distances;
  for (std::size_t i = 1; i < sampled.size(); ++i) {
    distances.insert(sampled[i] - sampled[i - 1]);
  }
  EXPECT_EQ(*distances.begin(), 1U);
  EXPECT_EQ(*distances.rbegin(), 2 * ReadySampler::kMeanPeriod - 1);
  EXPECT_GT(distances.size(), 120U);
}

TEST(ReadySampler, FollowsItsSeed) {
  EXPECT_EQ(Sampled(5, 10000), Sampled(5, 10000));
  EXPECT_NE(Sampled(5, 10000), Sampled(6, 10000));
}

TEST(WakeupLatency, RecordsStampedTasksOnceAndNoOthers) {
  WakeupLatency latency;
  std::uint64_t unstamped = 0;
  latency.OnRun(unstamped);
  EXPECT_EQ(latency.Snapshot().Total(), 0U);
  std::uint64_t stamp = platform::TickClock::Now() | 1U;
  latency.OnRun(stamp);
  EXPECT_EQ(stamp, 0U) << "the next run of the same task would be timed from here";
  latency.OnRun(stamp);
  EXPECT_EQ(latency.Snapshot().Total(), 1U);
}

TEST(WakeupLatency, MeasuresInTicks) {
  WakeupLatency latency;
  constexpr std::uint64_t kTicks = 1'000'000;
  const std::uint64_t before = platform::TickClock::Now();
  std::uint64_t stamp = (before - kTicks) | 1U;
  latency.OnRun(stamp);
  const std::uint64_t passed = platform::TickClock::Now() - before;
  EXPECT_GE(*latency.Snapshot().Max(), 0.99 * kTicks);
  EXPECT_LE(*latency.Snapshot().Max(), 1.01 * static_cast<double>(kTicks + passed + 1));
}

TEST(WakeupLatency, TakesAStampFromTheFutureForZero) {
  // The clocks of two cores may differ a little.
  WakeupLatency latency;
  std::uint64_t stamp = platform::TickClock::Now() + 1'000'000'000'000U;
  latency.OnRun(stamp);
  EXPECT_EQ(latency.Snapshot().Max(), 0.0);
}

}  // namespace

}  // namespace schedbench::metrics

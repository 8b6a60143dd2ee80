#include "metrics/task_times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace schedbench::metrics::task_times_test {

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
    // Distances are even over 1 .. 127: deviation 36.7, so that the number of them has one of 0.57
    // of the root of the number. The seeds are fixed: this cannot fail by chance.
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

TEST(TaskTimes, RecordsStampedTasksOnceAndNoOthers) {
  TaskTimes times;
  std::uint64_t unstamped = 0;
  times.OnRun(unstamped);
  EXPECT_EQ(times.Wakeups().Total(), 0U);
  std::uint64_t stamp = platform::TickClock::Now() | 1U;
  times.OnRun(stamp);
  EXPECT_EQ(stamp, 0U) << "the next run of the same task would be timed from here";
  times.OnRun(stamp);
  EXPECT_EQ(times.Wakeups().Total(), 1U);
}

TEST(TaskTimes, MeasuresInTicks) {
  TaskTimes times;
  constexpr std::uint64_t kTicks = 1'000'000;
  const std::uint64_t before = platform::TickClock::Now();
  std::uint64_t stamp = (before - kTicks) | 1U;
  times.OnRun(stamp);
  const std::uint64_t passed = platform::TickClock::Now() - before;
  EXPECT_GE(*times.Wakeups().Max(), 0.99 * kTicks);
  EXPECT_LE(*times.Wakeups().Max(), 1.01 * static_cast<double>(kTicks + passed + 1));
}

TEST(TaskTimes, TakesAStampFromTheFutureForZero) {
  // The clocks of two cores may differ a little.
  TaskTimes times;
  std::uint64_t stamp = platform::TickClock::Now() + 1'000'000'000'000U;
  times.OnRun(stamp);
  EXPECT_EQ(times.Wakeups().Max(), 0.0);
}

TEST(TaskTimes, MeasuresARunUntilTheNextTaskBegins) {
  TaskTimes times;
  std::uint64_t stamp = platform::TickClock::Now() | 1U;
  std::uint64_t unstamped = 0;
  const std::uint64_t before = platform::TickClock::Now();
  times.OnRun(stamp);
  EXPECT_EQ(times.Runs().Total(), 0U) << "it has not ended";
  const std::uint64_t begin = platform::TickClock::Now();
  while (platform::TickClock::Now() < begin + 1'000'000) {
  }
  times.OnRun(unstamped);
  const std::uint64_t passed = platform::TickClock::Now() - before;
  EXPECT_EQ(times.Runs().Total(), 1U);
  EXPECT_GE(*times.Runs().Max(), 0.99 * 1'000'000);
  EXPECT_LE(*times.Runs().Max(), 1.01 * static_cast<double>(passed + 1));
  times.OnRun(unstamped);
  EXPECT_EQ(times.Runs().Total(), 1U) << "the other one is not in the sample";
}

TEST(TaskTimes, EndsARunWhereNoOtherTaskIsAtHand) {
  TaskTimes times;
  std::uint64_t stamp = platform::TickClock::Now() | 1U;
  times.OnRun(stamp);
  times.OnNoTask();
  EXPECT_EQ(times.Runs().Total(), 1U);
  times.OnNoTask();
  EXPECT_EQ(times.Runs().Total(), 1U);
  EXPECT_EQ(times.Wakeups().Total(), 1U);
}

}  // namespace

}  // namespace schedbench::metrics::task_times_test

#include "metrics/stopwatch.hpp"

#include "platform/time/clock.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace schedbench::metrics::stopwatch_test {

namespace {

using TestWatch = Stopwatch<"asleep", "Time asleep">;

void SpinForNs(std::uint64_t ns) {
  const std::uint64_t begin = platform::NowNs();
  while (platform::NowNs() - begin < ns) {
  }
}

TEST(Stopwatch, AddsUpWhatPassesBetweenStartAndStopOnly) {
  TestWatch watch;
  EXPECT_EQ(watch.Get(), 0U);
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t before = platform::NowNs();
    watch.Start();
    const std::uint64_t started = platform::NowNs();
    SpinForNs(1'000'000);
    const std::uint64_t stopping = platform::NowNs();
    watch.Stop();
    most += platform::NowNs() - before;
    least += stopping - started;
    SpinForNs(1'000'000);
  }
  EXPECT_GE(watch.Get(), least);
  EXPECT_LE(watch.Get(), most);
  const std::uint64_t sum = watch.Get();
  SpinForNs(1'000'000);
  EXPECT_EQ(watch.Get(), sum) << "stopped";
}

TEST(Stopwatch, RunsWhileItIsRead) {
  TestWatch watch;
  watch.Start();
  const std::uint64_t first = watch.Get();
  SpinForNs(1'000'000);
  EXPECT_GE(watch.Get(), first + 1'000'000);
  watch.Stop();
}

TEST(Stopwatch, IsCopiedAsASnapshotThatStandsStill) {
  TestWatch watch;
  watch.Start();
  SpinForNs(1'000'000);
  const TestWatch copy(watch);
  EXPECT_GE(copy.Get(), 1'000'000U);
  const std::uint64_t at_copy = copy.Get();
  SpinForNs(1'000'000);
  EXPECT_EQ(copy.Get(), at_copy);
}

TEST(Stopwatch, NeverRunsBackwardsForAReader) {
  TestWatch watch;
  const tests::StressTime time;
  std::atomic<bool> over{false};
  std::jthread owner([&] {
    while (!over) {
      watch.Start();
      watch.Stop();
    }
  });
  std::uint64_t backwards = 0;
  std::uint64_t last = 0;
  do {
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t now = watch.Get();
      backwards += now < last ? 1 : 0;
      last = now;
    }
  } while (!time.IsOver());
  over = true;
  EXPECT_EQ(backwards, 0U);
}

}  // namespace

}  // namespace schedbench::metrics::stopwatch_test

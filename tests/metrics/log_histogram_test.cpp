#include "metrics/log_histogram.hpp"

#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::metrics::log_histogram_test {

namespace {

constexpr double kError = 1.0 / 128;
constexpr std::uint64_t kLimit = std::uint64_t{1} << LogBuckets::kValueBits;

TEST(LogBuckets, HoldSmallValuesExactly) {
  for (std::uint64_t value = 0; value < 64; ++value) {
    EXPECT_EQ(LogBuckets::ValueOf(LogBuckets::IndexOf(value)), static_cast<double>(value));
  }
}

TEST(LogBuckets, AreAtMostTwoToTheMinusSevenOff) {
  const auto expect_near = [](std::uint64_t value) {
    const double bucket = LogBuckets::ValueOf(LogBuckets::IndexOf(value));
    EXPECT_LE(std::abs(bucket - static_cast<double>(value)), kError * static_cast<double>(value))
        << value;
  };
  for (std::uint64_t value = 64; value < 100000; ++value) {
    expect_near(value);
  }
  for (unsigned bit = 7; bit < LogBuckets::kValueBits; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    expect_near(power - 1);
    expect_near(power);
    expect_near(power + 1);
  }
  std::mt19937_64 random(tests::Seed());
  for (int i = 0; i < 100000; ++i) {
    expect_near(64 + (random() >> (64 - 7 - random() % 33)) % (kLimit - 64));
  }
}

TEST(LogBuckets, KeepTheOrderOfValues) {
  std::size_t last = 0;
  for (std::uint64_t value = 0; value < kLimit; value += 1 + value / 200) {
    const std::size_t index = LogBuckets::IndexOf(value);
    EXPECT_GE(index, last);
    EXPECT_LE(index, last + 1) << "a bucket was left out at " << value;
    last = index;
  }
  EXPECT_EQ(last, LogBuckets::kCount - 1);
}

TEST(LogBuckets, PutAllLargerValuesIntoTheLast) {
  EXPECT_EQ(LogBuckets::IndexOf(kLimit - 1), LogBuckets::kCount - 1);
  EXPECT_EQ(LogBuckets::IndexOf(kLimit), LogBuckets::kCount - 1);
  EXPECT_EQ(LogBuckets::IndexOf(~std::uint64_t{0}), LogBuckets::kCount - 1);
}

HistogramSnapshot HistogramOf(const std::vector<std::uint64_t>& values) {
  LogHistogram histogram;
  for (const std::uint64_t value : values) {
    histogram.Record(value);
  }
  return histogram.Snapshot();
}

TEST(LogHistogram, GivesQuantilesThatAreOneBucketOffAtMost) {
  std::mt19937_64 random(tests::Seed());
  for (const std::size_t count : {300U, 10000U}) {
    std::vector<std::uint64_t> values(count);
    for (std::uint64_t& value : values) {
      value = std::uint64_t{1} << (random() % 30U);
      value += random() % value;
    }
    const HistogramSnapshot snapshot = HistogramOf(values);
    EXPECT_EQ(snapshot.Total(), count);
    std::ranges::sort(values);
    for (const double quantile : {0.01, 0.25, 0.5, 0.75, 0.9, 0.99}) {
      // The definition: the smallest value with at least the share at or below it.
      const auto rank = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(count)));
      const auto exact = static_cast<double>(values[rank - 1]);
      ASSERT_TRUE(snapshot.Quantile(quantile).has_value());
      EXPECT_NEAR(*snapshot.Quantile(quantile), exact, kError * exact) << quantile;
    }
    const auto largest = static_cast<double>(values.back());
    EXPECT_NEAR(*snapshot.Max(), largest, kError * largest);
  }
}

TEST(LogHistogram, GivesNoQuantileOfTooSmallASample) {
  // As many as are needed for a chance of 95 % that one of them lies above the quantile.
  for (const auto& [quantile, needed] : std::vector<std::pair<double, std::size_t>>{
           {0.5, 5}, {0.9, 29}, {0.99, 299}, {0.999, 2995}}) {
    const HistogramSnapshot few = HistogramOf(std::vector<std::uint64_t>(needed - 1, 7));
    EXPECT_EQ(few.Quantile(quantile), std::nullopt) << quantile;
    const HistogramSnapshot enough = HistogramOf(std::vector<std::uint64_t>(needed, 7));
    EXPECT_EQ(enough.Quantile(quantile), 7.0) << quantile;
  }
}

TEST(LogHistogram, IsEmptyAtFirst) {
  const HistogramSnapshot snapshot = HistogramOf({});
  EXPECT_EQ(snapshot.Total(), 0U);
  EXPECT_EQ(snapshot.Quantile(0.5), std::nullopt);
  EXPECT_EQ(snapshot.Max(), std::nullopt);
}

TEST(HistogramSnapshot, AddsUpTheSamplesOfSeveralWorkers) {
  HistogramSnapshot sum = HistogramOf({1, 1, 1});
  sum.Add(HistogramOf({5, 5, 5, 60}));
  EXPECT_EQ(sum.Total(), 7U);
  EXPECT_EQ(sum.Quantile(0.5), 5.0);
  EXPECT_EQ(sum.Max(), 60.0);
}

// Of samples of 1,000 values of 0 to 999,999, of which 99 % are below 990,000.
TEST(HistogramSnapshot, HasAnIntervalThatContainsTheQuantileInAbout95Of100Samples) {
  std::mt19937_64 random(7);
  int contained = 0;
  for (int sample = 0; sample < 400; ++sample) {
    LogHistogram histogram;
    for (int i = 0; i < 1000; ++i) {
      histogram.Record(random() % 1'000'000);
    }
    const auto p99 = histogram.Snapshot().QuantileWithInterval(0.99);
    ASSERT_TRUE(p99.has_value());
    ASSERT_LE(p99->low, p99->value);
    ASSERT_GE(p99->high, p99->value);
    // A bucket is wider than the interval is exact.
    const double quantile = LogBuckets::ValueOf(LogBuckets::IndexOf(990'000));
    contained += p99->low <= quantile && quantile <= p99->high ? 1 : 0;
  }
  EXPECT_GE(contained, 372);
  EXPECT_EQ(HistogramOf({1, 2, 3}).QuantileWithInterval(0.99), std::nullopt);
}

TEST(HistogramSnapshot, TakesAwayWhatWasThereEarlier) {
  LogHistogram histogram;
  for (int i = 0; i < 10; ++i) {
    histogram.Record(3);
  }
  const HistogramSnapshot earlier = histogram.Snapshot();
  for (int i = 0; i < 5; ++i) {
    histogram.Record(40);
  }
  HistogramSnapshot since = histogram.Snapshot();
  since.Subtract(earlier);
  EXPECT_EQ(since.Total(), 5U);
  EXPECT_EQ(since.Quantile(0.5), 40.0);
}

TEST(HistogramSnapshot, AddsShorterAndLongerOnes) {
  HistogramSnapshot sum;
  EXPECT_EQ(sum.Max(), std::nullopt);
  for (const std::uint64_t value : {3, 40, 5}) {
    sum.Add(HistogramOf({value}));
  }
  EXPECT_EQ(sum.Total(), 3U);
  EXPECT_EQ(sum.Max(), 40.0);
}

TEST(LogHistogram, IsReadWhileItsOwnerRecords) {
  constexpr std::uint64_t kCount = tests::PlainOrSanitized<std::uint64_t>(200000, 20000);
  LogHistogram histogram;
  std::jthread owner([&] {
    for (std::uint64_t i = 0; i < kCount; ++i) {
      histogram.Record(i % 1000);
    }
  });
  std::uint64_t last = 0;
  while (last < kCount) {
    const std::uint64_t now = histogram.Snapshot().Total();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace

}  // namespace schedbench::metrics::log_histogram_test

#include "stats/looks.hpp"

#include "base/random.hpp"
#include "stats/order_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace schedbench::stats::looks_test {

namespace {

TEST(Looks, SpendTheProbabilityOfFailureOnce) {
  const Looks looks(0.95);
  double spent = 0;
  for (std::size_t look = 0; look < 40; ++look) {
    spent += 1 - looks.LevelOf(look);
  }
  EXPECT_LE(spent, 0.05 + 1e-12);
  EXPECT_GT(spent, 0.0499);
}

TEST(Looks, ComeAtGrowingSizesThatHaveAnInterval) {
  const Looks looks(0.999);
  for (std::size_t look = 0; look < 8; ++look) {
    EXPECT_GE(looks.SizeOf(look), SmallestSampleWithInterval(looks.LevelOf(look)));
    EXPECT_LT(looks.SizeOf(look), looks.SizeOf(look + 1));
    EXPECT_TRUE(looks.IsDueAt(looks.SizeOf(look)));
    EXPECT_FALSE(looks.IsDueAt(looks.SizeOf(look) + 1));
  }
}

TEST(Looks, EndWithOneMoreIfTheSampleGrewSince) {
  const Looks looks(0.95);
  const std::size_t first = looks.SizeOf(0);
  EXPECT_EQ(looks.LastOf(first - 1).size, 0U);
  EXPECT_EQ(looks.LastOf(first).size, first);
  EXPECT_EQ(looks.LastOf(first).level, looks.LevelOf(0));
  EXPECT_EQ(looks.LastOf(first + 2).size, first + 2);
  EXPECT_EQ(looks.LastOf(first + 2).level, looks.LevelOf(1));
}

TEST(Looks, HaveAnIntervalAlsoAtAnEarlyEnd) {
  for (const double level : {0.5, 0.95, 0.96875, 0.99999}) {
    const Looks looks(level);
    for (std::size_t size = looks.SizeOf(0); size < 300; ++size) {
      const Looks::Look last = looks.LastOf(size);
      EXPECT_EQ(last.size, size);
      EXPECT_GE(size, SmallestSampleWithInterval(last.level)) << level;
    }
  }
}

// Values with the median 0.
std::vector<double> SampleOf(std::size_t size, QuickRandom& random) {
  std::vector<double> sample;
  while (sample.size() < size) {
    sample.push_back((static_cast<double>(random.Next()) - 2147483647.5) / 2147483648.0);
  }
  return sample;
}

bool Misses(const std::vector<double>& sample, std::size_t size, double level) {
  const auto interval = MedianConfidenceInterval(
      std::vector<double>(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(size)),
      level);
  return interval && (interval->low > 0 || interval->high < 0);
}

constexpr std::size_t kLargest = 200;

// How often an interval misses at some look. `size_of`: where the sample ends.
template <typename SizeOf, typename LevelOf>
double MissedShare(SizeOf size_of, LevelOf level_of) {
  constexpr int kSamples = 2000;
  const Looks looks(0.95);
  QuickRandom random(1);
  int missed = 0;
  for (int i = 0; i < kSamples; ++i) {
    const std::vector<double> sample = SampleOf(kLargest, random);
    const std::size_t size = size_of(sample, random);
    const Looks::Look last = looks.LastOf(size);
    bool misses = last.size > 0 && Misses(sample, last.size, last.level);
    for (std::size_t look = 0; looks.SizeOf(look) <= size; ++look) {
      misses = misses || Misses(sample, looks.SizeOf(look), level_of(looks, look));
    }
    missed += misses ? 1 : 0;
  }
  return static_cast<double>(missed) / kSamples;
}

double LevelOfLook(const Looks& looks, std::size_t look) {
  return looks.LevelOf(look);
}

std::size_t AtItsLargest(const std::vector<double>& sample, QuickRandom& /*random*/) {
  return sample.size();
}

TEST(Looks, KeepTheirLevelTogetherAndAFixedLevelDoesNot) {
  EXPECT_LE(MissedShare(AtItsLargest, LevelOfLook), 0.05);
  EXPECT_GT(MissedShare(AtItsLargest, [](const Looks&, std::size_t) { return 0.95; }), 0.07);
}

TEST(Looks, KeepTheirLevelIfTheSampleEndsAtRandom) {
  EXPECT_LE(MissedShare([](const std::vector<double>& sample,
                           QuickRandom& random) { return random.Next() % (sample.size() + 1); },
                        LevelOfLook),
            0.05);
}

// Like a budget that slow rounds use up earlier.
TEST(Looks, KeepTheirLevelIfTheSampleEndsWhenASumOfItsValuesIsReached) {
  EXPECT_LE(MissedShare(
                [](const std::vector<double>& sample, QuickRandom& random) {
                  double left = static_cast<double>(random.Next() % sample.size());
                  std::size_t size = 0;
                  while (size < sample.size() && left >= std::exp(sample[size])) {
                    left -= std::exp(sample[size]);
                    ++size;
                  }
                  return size;
                },
                LevelOfLook),
            0.05);
}

}  // namespace

}  // namespace schedbench::stats::looks_test

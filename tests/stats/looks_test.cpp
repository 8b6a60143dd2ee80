#include "stats/looks.hpp"

#include "base/random.hpp"
#include "stats/order_statistics.hpp"

#include <gtest/gtest.h>

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

// How often an interval misses the median 0 at some look, if a sample grows to `size`.
template <typename LevelOf>
double MissedShare(std::size_t size, LevelOf level_of) {
  constexpr int kSamples = 2000;
  const Looks looks(0.95);
  QuickRandom random(1);
  int missed = 0;
  for (int i = 0; i < kSamples; ++i) {
    std::vector<double> sample;
    bool misses = false;
    for (std::size_t look = 0; looks.SizeOf(look) <= size; ++look) {
      while (sample.size() < looks.SizeOf(look)) {
        sample.push_back(static_cast<double>(random.Next()) - 2147483647.5);
      }
      const auto interval = MedianConfidenceInterval(sample, level_of(looks, look));
      misses = misses || (interval && (interval->low > 0 || interval->high < 0));
    }
    missed += misses ? 1 : 0;
  }
  return static_cast<double>(missed) / kSamples;
}

TEST(Looks, KeepTheirLevelTogetherAndAFixedLevelDoesNot) {
  EXPECT_LE(MissedShare(200,
                        [](const Looks& looks, std::size_t look) {
                          return looks.LevelOf(look);
                        }),
            0.05);
  EXPECT_GT(MissedShare(200,
                        [](const Looks&, std::size_t) {
                          return 0.95;
                        }),
            0.07);
}

}  // namespace

}  // namespace schedbench::stats::looks_test

#include "base/random.hpp"

#include "base/random_choice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>

namespace schedbench::random_test {

namespace {

TEST(MixSeed, IsSplitMix64) {
  // The first outputs of the generator of Steele, Lea and Flood for the state 0 and for 1234567, as
  // its public reference implementation prints them.
  EXPECT_EQ(MixSeed(0), 0xe220a8397b1dcdafU);
  EXPECT_EQ(MixSeed(0x9e3779b97f4a7c15U), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(MixSeed(1234567), 6457827717110365317U);
}

TEST(DeriveSeed, GivesEachStreamOfEachRunASeedOfItsOwn) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t run = 0; run < 100; ++run) {
    for (std::uint64_t stream = 0; stream < 100; ++stream) {
      seeds.insert(DeriveSeed(run, stream));
    }
  }
  EXPECT_EQ(seeds.size(), 10000U);
  EXPECT_EQ(DeriveSeed(7, 3), DeriveSeed(7, 3));
}

TEST(QuickRandom, RepeatsItselfFromTheSameSeed) {
  QuickRandom first(42);
  QuickRandom second(42);
  QuickRandom other(43);
  int same = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t number = first.Next();
    EXPECT_EQ(number, second.Next());
    same += number == other.Next() ? 1 : 0;
  }
  EXPECT_LT(same, 3);
}

TEST(QuickRandom, DrawsEveryRemainderAboutEquallyOften) {
  // The seeds 0, 1, 2 are what a careless caller gives.
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    QuickRandom random(seed);
    constexpr int kDraws = 127000;
    std::array<int, 127> counts{};
    for (int i = 0; i < kDraws; ++i) {
      ++counts[random.Next() % counts.size()];
    }
    double chi_squared = 0;
    for (const int count : counts) {
      chi_squared += std::pow(count - 1000, 2) / 1000;
    }
    // 126 degrees of freedom: mean 126, deviation 16. The seeds are fixed, so that this cannot fail
    // by chance.
    EXPECT_LT(chi_squared, 126 + 5 * 16);
  }
}

TEST(RandomChoice, MakesEachChoiceAboutEquallyOften) {
  RandomChoice random(0);
  std::array<int, 5> counts{};
  for (int i = 0; i < 50'000; ++i) {
    const std::uint32_t choice = random.Below(counts.size());
    ASSERT_LT(choice, counts.size());
    ++counts[choice];
  }
  // The deviation is 89; the seed is fixed.
  for (const int count : counts) {
    EXPECT_NEAR(count, 10'000, 450);
  }
}

TEST(RandomChoice, HasNoChoiceOfOne) {
  RandomChoice random(0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(random.Below(1), 0U);
  }
}

}  // namespace

}  // namespace schedbench::random_test

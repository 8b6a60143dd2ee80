#include "harness/tune/ranking.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace schedbench::harness::ranking_test {

namespace {

TEST(Ranking, OfOneObjectiveIsItsOrder) {
  std::vector<std::size_t> places;
  for (const Ranked& one : BestFirst({{3}, {1}, {2}})) {
    places.push_back(one.place);
  }
  EXPECT_EQ(places, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(Ranking, PutsWhatNothingDominatesFirst) {
  // 0, 1 and 2 are a front; 3 is worse than 1 alone, 4 is worse than all.
  const std::vector<Ranked> ranked = BestFirst({{1, 5}, {3, 3}, {5, 1}, {3, 4}, {6, 6}});
  ASSERT_EQ(ranked.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ranked[i].front, 0U);
  }
  EXPECT_EQ(ranked[2].place, 1U) << "the ends of a front come first";
  EXPECT_EQ(ranked[3].place, 3U);
  EXPECT_EQ(ranked[4].place, 4U);
  EXPECT_EQ(ranked[4].front, 2U);
}

TEST(Ranking, KeepsEqualCandidatesInOneFront) {
  for (const Ranked& one : BestFirst({{1, 1}, {1, 1}, {1, 1}})) {
    EXPECT_EQ(one.front, 0U);
  }
}

}  // namespace

}  // namespace schedbench::harness::ranking_test

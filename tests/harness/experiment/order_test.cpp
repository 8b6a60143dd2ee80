#include "harness/experiment/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace schedbench::harness::order_test {

namespace {

TEST(BlockOrder, TakesEachAlternativeOnceInEachRound) {
  for (const std::size_t count : {1U, 2U, 5U}) {
    for (const auto& round : BlockOrder(count, 7, 3, 42)) {
      EXPECT_EQ(std::set<std::size_t>(round.begin(), round.end()).size(), count);
      EXPECT_EQ(round.size(), count);
    }
  }
}

TEST(BlockOrder, PutsEachIntoEachPlaceOnceInAsManyRoundsAsThereAre) {
  constexpr std::size_t kCount = 5;
  const auto order = BlockOrder(kCount, kCount, 0, 1);
  for (std::size_t place = 0; place < kCount; ++place) {
    std::set<std::size_t> seen;
    for (const auto& round : order) {
      seen.insert(round[place]);
    }
    EXPECT_EQ(seen.size(), kCount) << place;
  }
}

TEST(BlockOrder, TurnsTwoAroundFromRoundToRound) {
  const auto order = BlockOrder(2, 2, 0, 1);
  EXPECT_EQ(order[0][0], order[1][1]);
  EXPECT_EQ(order[0][1], order[1][0]);
}

TEST(BlockOrder, IsDrawnAnewForEachBlockAndRepeatsWithTheSeed) {
  std::set<std::vector<std::size_t>> firsts;
  for (std::size_t block = 0; block < 200; ++block) {
    const auto order = BlockOrder(3, 1, block, 7);
    EXPECT_EQ(order, BlockOrder(3, 1, block, 7));
    firsts.insert(order[0]);
  }
  EXPECT_EQ(firsts.size(), 6U) << "all orders of three";
}

}  // namespace

}  // namespace schedbench::harness::order_test

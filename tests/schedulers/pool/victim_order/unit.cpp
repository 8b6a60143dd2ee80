#include "schedulers/pool/victim_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace schedbench::schedulers {

namespace {

std::vector<std::uint32_t> Draw(VictimOrder& order) {
  order.Shuffle();
  std::vector<std::uint32_t> victims;
  for (std::uint32_t i = 0; i < order.Others(); ++i) {
    victims.push_back(order.Next());
  }
  return victims;
}

TEST(VictimOrder, MeetsEachOtherWorkerOnceAndNeverItself) {
  for (std::uint32_t workers = 2; workers <= 17; ++workers) {
    for (std::uint32_t self = 0; self < workers; ++self) {
      VictimOrder order(self, workers, self);
      for (int round = 0; round < 50; ++round) {
        const std::vector<std::uint32_t> victims = Draw(order);
        const std::set<std::uint32_t> met(victims.begin(), victims.end());
        ASSERT_EQ(met.size(), workers - 1) << workers << " workers";
        ASSERT_FALSE(met.contains(self));
        ASSERT_LT(*met.rbegin(), workers);
      }
    }
  }
}

TEST(VictimOrder, HasNobodyToVisitWithOneWorker) {
  EXPECT_EQ(VictimOrder(0, 1, 0).Others(), 0U);
}

TEST(VictimOrder, DrawsAllOrdersOfTwoVictimsAboutEquallyOften) {
  VictimOrder order(1, 3, 7);
  std::map<std::vector<std::uint32_t>, int> times;
  for (int i = 0; i < 10'000; ++i) {
    ++times[Draw(order)];
  }
  ASSERT_EQ(times.size(), 2U);
  // The deviation is 50; the seed is fixed.
  EXPECT_NEAR((times[{0, 2}]), 5'000, 250);
  EXPECT_NEAR((times[{2, 0}]), 5'000, 250);
}

TEST(VictimOrder, BeginsWithEachVictimAboutEquallyOften) {
  VictimOrder order(3, 8, 7);
  std::map<std::uint32_t, int> times;
  for (int i = 0; i < 70'000; ++i) {
    ++times[Draw(order).front()];
  }
  for (const auto& [victim, count] : times) {
    EXPECT_NEAR(count, 10'000, 500) << "victim " << victim;
  }
}

}  // namespace

}  // namespace schedbench::schedulers

#include "schedulers/pool/victim_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace schedbench::schedulers::victim_order_test {

namespace {

using Victims = std::vector<std::uint32_t>;

constexpr Victim kPolicies[] = {Victim::kRandom, Victim::kRoundRobin, Victim::kLastSuccess,
                                Victim::kNearest};

Victims Sweep(VictimOrder& order) {
  order.BeginSweep();
  Victims victims;
  for (std::uint32_t i = 0; i < order.Others(); ++i) {
    victims.push_back(order.Next());
  }
  return victims;
}

// Steals from `victim`: a sweep that ends there.
void StealFrom(VictimOrder& order, std::uint32_t victim) {
  order.BeginSweep();
  while (order.Next() != victim) {
  }
  order.RecordSuccess();
}

TEST(VictimOrder, MeetsEachOtherWorkerOnceAndNeverItself) {
  for (const Victim policy : kPolicies) {
    for (std::uint32_t workers = 2; workers <= 17; ++workers) {
      for (std::uint32_t self = 0; self < workers; ++self) {
        VictimOrder order(policy, self, workers, self);
        for (std::uint32_t round = 0; round < 50; ++round) {
          const Victims victims = Sweep(order);
          const std::set<std::uint32_t> met(victims.begin(), victims.end());
          ASSERT_EQ(met.size(), workers - 1) << workers << " workers";
          ASSERT_FALSE(met.contains(self));
          ASSERT_LT(*met.rbegin(), workers);
          if (round % 3 == 0) {
            StealFrom(order, victims[round % victims.size()]);
          }
        }
      }
    }
  }
}

// 888 others have a ring of 907 places, and 1,023 one of 1,031.
TEST(VictimOrder, MeetsEachOfManyOtherWorkersOnce) {
  for (const Victim policy : kPolicies) {
    for (const std::uint32_t workers : {889U, 1024U}) {
      for (const std::uint32_t self : {0U, 500U, workers - 1}) {
        VictimOrder order(policy, self, workers, self);
        for (int round = 0; round < 20; ++round) {
          const Victims victims = Sweep(order);
          const std::set<std::uint32_t> met(victims.begin(), victims.end());
          ASSERT_EQ(met.size(), workers - 1);
          ASSERT_FALSE(met.contains(self));
          ASSERT_LT(*met.rbegin(), workers);
        }
      }
    }
  }
}

TEST(VictimOrder, HasNoVictimWithOneWorker) {
  for (const Victim policy : kPolicies) {
    EXPECT_EQ(VictimOrder(policy, 0, 1, 0).Others(), 0U);
  }
}

TEST(VictimOrder, IsTheSameForTheSameSeed) {
  for (const Victim policy : kPolicies) {
    VictimOrder one(policy, 3, 8, 5);
    VictimOrder other(policy, 3, 8, 5);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(Sweep(one), Sweep(other));
      if (i % 10 == 0) {
        StealFrom(one, 6);
        StealFrom(other, 6);
      }
    }
  }
}

TEST(RandomVictims, AreDrawnInAllOrdersOfTwoAboutEquallyOften) {
  VictimOrder order(Victim::kRandom, 1, 3, 7);
  std::map<Victims, int> times;
  for (int i = 0; i < 10'000; ++i) {
    ++times[Sweep(order)];
  }
  ASSERT_EQ(times.size(), 2U);
  // The deviation is 50; the seed is fixed.
  EXPECT_NEAR((times[{0, 2}]), 5'000, 250);
  EXPECT_NEAR((times[{2, 0}]), 5'000, 250);
}

TEST(RandomVictims, BeginWithEachAboutEquallyOftenWhicheverHadTasks) {
  VictimOrder order(Victim::kRandom, 3, 8, 7);
  std::map<std::uint32_t, int> times;
  for (int i = 0; i < 70'000; ++i) {
    ++times[Sweep(order).front()];
    order.RecordSuccess();
  }
  for (const auto& [victim, count] : times) {
    EXPECT_NEAR(count, 10'000, 500) << "victim " << victim;
  }
}

TEST(RoundRobinVictims, FollowTheRingFromBehindTheOneWhereTheLastSweepBegan) {
  VictimOrder order(Victim::kRoundRobin, 1, 4, 7);
  EXPECT_EQ(Sweep(order), (Victims{2, 3, 0}));
  StealFrom(order, 3);  // a sweep that begins there and ends at once
  EXPECT_EQ(Sweep(order), (Victims{0, 2, 3}));
  EXPECT_EQ(Sweep(order), (Victims{2, 3, 0}));
}

// With lifo_steal a thief goes round twice: to the queues, then to the slots.
TEST(VictimOrder, GoesRoundASecondTimeAsTheFirstAndBeginsTheNextSweepAsAfterOne) {
  for (const Victim policy : kPolicies) {
    VictimOrder once(policy, 1, 5, 7);
    VictimOrder twice(policy, 1, 5, 7);
    for (int round = 0; round < 20; ++round) {
      const Victims victims = Sweep(once);
      ASSERT_EQ(Sweep(twice), victims);
      for (const std::uint32_t victim : victims) {
        ASSERT_EQ(twice.Next(), victim) << static_cast<int>(policy);
      }
    }
  }
}

TEST(LastSuccessVictims, BeginWithTheLastSuccessfulVictimUntilAnotherGives) {
  VictimOrder order(Victim::kLastSuccess, 3, 8, 7);
  for (const std::uint32_t giver : {5U, 0U, 7U, 7U, 2U}) {
    StealFrom(order, giver);
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(Sweep(order).front(), giver);
    }
  }
}

TEST(LastSuccessVictims, AreInRandomOrderBehindTheLastSuccessfulOneAndBeforeTheFirstSuccess) {
  VictimOrder order(Victim::kLastSuccess, 3, 8, 7);
  std::set<std::uint32_t> first;
  for (int i = 0; i < 1'000; ++i) {
    first.insert(Sweep(order).front());
  }
  EXPECT_EQ(first.size(), 7U);
  StealFrom(order, 5);
  std::set<std::uint32_t> second;
  for (int i = 0; i < 1'000; ++i) {
    second.insert(Sweep(order)[1]);
  }
  EXPECT_EQ(second, (std::set<std::uint32_t>{0, 1, 2, 4, 6, 7}));
}

TEST(NearestVictims, ComeByTheirDistanceOnTheRing) {
  VictimOrder odd(Victim::kNearest, 0, 5, 7);
  EXPECT_EQ(Sweep(odd), (Victims{1, 4, 2, 3}));
  VictimOrder even(Victim::kNearest, 4, 6, 7);
  EXPECT_EQ(Sweep(even), (Victims{5, 3, 0, 2, 1}));
  StealFrom(even, 2);
  EXPECT_EQ(Sweep(even), (Victims{5, 3, 0, 2, 1}));
}

}  // namespace

}  // namespace schedbench::schedulers::victim_order_test

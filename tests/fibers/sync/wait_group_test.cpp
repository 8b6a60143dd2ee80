#include "fibers/sync/wait_group.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace schedbench::fibers::wait_group_test {

namespace {

using executors::ManualExecutor;

TEST(WaitGroup, DoesNotWaitForNothing) {
  WaitGroup group;
  group.Wait();
  group.Add(0);
  group.Wait();
}

TEST(WaitGroup, HoldsItsWaitersUntilTheLastIsDone) {
  ManualExecutor executor;
  WaitGroup group;
  group.Add(2);
  group.Add(1);
  int continued = 0;
  for (int i = 0; i < 2; ++i) {
    Go(executor, [&] {
      group.Wait();
      ++continued;
    });
  }
  executor.Drain();
  group.Done();
  group.Done();
  executor.Drain();
  EXPECT_EQ(continued, 0);
  group.Done();
  executor.Drain();
  EXPECT_EQ(continued, 2);
}

TEST(WaitGroup, JoinsFibers) {
  ManualExecutor executor;
  std::string order;
  Go(executor, [&] {
    WaitGroup children;
    children.Add(2);
    for (const char name : {'a', 'b'}) {
      Go([&, name] {
        order += name;
        children.Done();
      });
    }
    children.Wait();
    order += "!";
  });
  executor.Drain();
  EXPECT_EQ(order, "ab!");
}

TEST(WaitGroup, ServesRoundAfterRound) {
  ManualExecutor executor;
  WaitGroup group;
  int rounds = 0;
  Go(executor, [&] {
    for (; rounds < 10; ++rounds) {
      group.Add(3);
      for (int i = 0; i < 3; ++i) {
        Go([&] { group.Done(); });
      }
      group.Wait();
    }
  });
  executor.Drain();
  EXPECT_EQ(rounds, 10);
}

TEST(WaitGroup, MayGrowWhileItIsNotDone) {
  ManualExecutor executor;
  WaitGroup group;
  group.Add(1);
  bool continued = false;
  Go(executor, [&] {
    group.Wait();
    continued = true;
  });
  executor.Drain();
  group.Add(1);
  group.Done();
  executor.Drain();
  EXPECT_FALSE(continued);
  group.Done();
  executor.Drain();
  EXPECT_TRUE(continued);
}

TEST(WaitGroup, LetsThreadsWaitForThreadsAndShowsWhatTheyWrote) {
  for (int round = 0; round < 100; ++round) {
    WaitGroup group;
    std::vector<int> written(4, 0);  // plain: the group must order it
    group.Add(written.size());
    std::vector<std::jthread> threads;
    for (int& place : written) {
      threads.emplace_back([&] {
        place = 1;
        group.Done();
      });
    }
    group.Wait();
    EXPECT_EQ(written, std::vector<int>(4, 1));
  }
}

TEST(WaitGroupDeathTest, RefusesADoneTooMany) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  WaitGroup group;
  EXPECT_DEATH(group.Done(), "Done without Add");
}

}  // namespace

}  // namespace schedbench::fibers::wait_group_test

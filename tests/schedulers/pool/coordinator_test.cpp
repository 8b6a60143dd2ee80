#include "schedulers/pool/coordinator.hpp"

#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace schedbench::schedulers::coordinator_test {

namespace {

using tests::HangGuard;

TEST(Coordinator, LetsNoMoreSearchByTheirOwnDecisionThanTheLimit) {
  Coordinator coordinator(4, 2);
  EXPECT_TRUE(coordinator.TryBeginSearch());
  EXPECT_TRUE(coordinator.TryBeginSearch());
  EXPECT_FALSE(coordinator.TryBeginSearch());
  coordinator.EndSearch();
  EXPECT_TRUE(coordinator.TryBeginSearch());
}

TEST(Coordinator, RequestsARecheckFromTheLastSearcher) {
  Coordinator coordinator(4, 4);
  ASSERT_TRUE(coordinator.TryBeginSearch());
  ASSERT_TRUE(coordinator.TryBeginSearch());
  EXPECT_FALSE(coordinator.EndSearch());
  EXPECT_TRUE(coordinator.EndSearch());
}

TEST(Coordinator, RequestsARecheckFromAParkingWorkerUnlessAnotherSearches) {
  Coordinator coordinator(3, 3);
  // From running, with no worker searching.
  EXPECT_TRUE(coordinator.AnnouncePark(0, false).recheck);
  // While another searches, which rechecks the queues when it parks or finds something.
  ASSERT_TRUE(coordinator.TryBeginSearch());
  EXPECT_FALSE(coordinator.AnnouncePark(1, false).recheck);
  // The last searcher himself.
  EXPECT_TRUE(coordinator.AnnouncePark(2, true).recheck);
}

TEST(Coordinator, WakesNoWorkerWhereNoneIsIdle) {
  Coordinator coordinator(2, 1);
  EXPECT_EQ(coordinator.Notify().woken, 0U);
  EXPECT_FALSE(coordinator.Notify().searched);
  EXPECT_FALSE(coordinator.NotifyMany(2).searched);
}

TEST(Coordinator, WakesNoWorkerWhileAnotherSearches) {
  Coordinator coordinator(2, 1);
  coordinator.AnnouncePark(0, false);
  ASSERT_TRUE(coordinator.TryBeginSearch());
  EXPECT_EQ(coordinator.Notify().woken, 0U);
  EXPECT_TRUE(coordinator.Notify().searched);
  EXPECT_TRUE(coordinator.NotifyMany(1).searched);
  // When the search is over, a worker must be woken again.
  EXPECT_TRUE(coordinator.EndSearch());
  EXPECT_EQ(coordinator.Notify().woken, 1U);
}

TEST(Coordinator, ReportsHowManyWorkersAreInWhichState) {
  Coordinator coordinator(4, 2);
  coordinator.AnnouncePark(0, false);
  coordinator.AnnouncePark(2, false);
  ASSERT_TRUE(coordinator.TryBeginSearch());
  coordinator.SetActive(3, 2);
  const Coordinator::Workers workers = coordinator.Count();
  EXPECT_EQ(workers.active, 3U);
  EXPECT_EQ(workers.idle, 2U);
  EXPECT_EQ(workers.searching, 1U);
}

TEST(Coordinator, WakesOneAtATimeTheLowestFirst) {
  Coordinator coordinator(3, 3);
  coordinator.AnnouncePark(2, false);
  coordinator.AnnouncePark(1, false);
  EXPECT_EQ(coordinator.Notify().woken, 1U);
  // The woken one counts as searching before it runs.
  EXPECT_EQ(coordinator.Notify().woken, 0U);
  EXPECT_FALSE(coordinator.CancelPark(1));
  EXPECT_TRUE(coordinator.EndSearch());  // of worker 1
  EXPECT_TRUE(coordinator.CancelPark(2));
}

TEST(Coordinator, WakesAsManyAsThereAreTasksWithoutASearcherFromAllWords) {
  Coordinator coordinator(200, 100);
  for (std::uint32_t worker = 0; worker < 200; ++worker) {
    coordinator.AnnouncePark(worker, false);
  }
  EXPECT_EQ(coordinator.NotifyMany(130).woken, 130U);
  EXPECT_EQ(coordinator.Count().searching, 130U);
  EXPECT_EQ(coordinator.Count().idle, 70U);
  EXPECT_TRUE(coordinator.NotifyMany(130).searched);
  EXPECT_EQ(coordinator.NotifyMany(150).woken, 20U);
  EXPECT_EQ(coordinator.NotifyAll().woken, 50U);
  EXPECT_EQ(coordinator.Count().searching, 200U);
  for (std::uint32_t worker = 0; worker < 200; ++worker) {
    EXPECT_EQ(coordinator.Park(worker), Coordinator::Slept::kWoken) << "woken before it sleeps";
  }
}

TEST(Coordinator, WakesNoInactiveWorkerForATask) {
  Coordinator coordinator(4, 2);
  coordinator.SetActive(2, 1);
  coordinator.AnnounceInactive(2, false);
  coordinator.AnnounceInactive(3, false);
  EXPECT_EQ(coordinator.Notify().woken, 0U);
  EXPECT_EQ(coordinator.NotifyMany(4).woken, 0U);
  EXPECT_EQ(coordinator.NotifyAll().woken, 0U);
  EXPECT_EQ(coordinator.Count().idle, 0U);
  EXPECT_TRUE(coordinator.CancelInactive(3));
  EXPECT_EQ(coordinator.Count().searching, 1U);
}

TEST(Coordinator, WakesInactiveWorkersThatBecomeActive) {
  Coordinator coordinator(4, 2);
  coordinator.SetActive(1, 1);
  coordinator.AnnounceInactive(1, false);
  coordinator.AnnounceInactive(3, false);
  coordinator.SetActive(3, 1);
  EXPECT_EQ(coordinator.Park(1), Coordinator::Slept::kWoken);
  EXPECT_FALSE(coordinator.CancelInactive(1));
  EXPECT_EQ(coordinator.Count().searching, 1U);
  EXPECT_TRUE(coordinator.CancelInactive(3)) << "still inactive";
}

TEST(Coordinator, WakesIdleWorkersThatAreDeactivatedAndNoOthers) {
  Coordinator coordinator(100, 50);
  for (const std::uint32_t worker : {0U, 1U, 2U, 99U}) {
    coordinator.AnnouncePark(worker, false);
  }
  coordinator.SetActive(2, 1);
  coordinator.WakeDeactivated();
  EXPECT_EQ(coordinator.Count().searching, 2U);
  EXPECT_EQ(coordinator.Count().idle, 2U);
  EXPECT_EQ(coordinator.Park(2), Coordinator::Slept::kWoken);
  EXPECT_EQ(coordinator.Park(99), Coordinator::Slept::kWoken);
  coordinator.WakeDeactivated();
  EXPECT_EQ(coordinator.Count().searching, 2U);
}

TEST(Coordinator, CountsInactiveWorkersWhenItEnds) {
  Coordinator coordinator(3, 1);
  coordinator.SetActive(1, 1);
  coordinator.RequestStop();
  EXPECT_FALSE(coordinator.AnnounceInactive(2, false).last);
  EXPECT_FALSE(coordinator.AnnouncePark(0, false).last);
  EXPECT_TRUE(coordinator.AnnounceInactive(1, false).last);
  EXPECT_TRUE(coordinator.TryEnd(1));
  EXPECT_EQ(coordinator.Park(0), Coordinator::Slept::kEnded);
  EXPECT_EQ(coordinator.Park(2), Coordinator::Slept::kEnded);
}

TEST(Coordinator, CountsAWokenWorkerAsSearching) {
  Coordinator coordinator(2, 1);
  coordinator.AnnouncePark(0, false);
  ASSERT_EQ(coordinator.Notify().woken, 1U);
  EXPECT_FALSE(coordinator.TryBeginSearch());
  coordinator.Park(0);  // returns at once
  EXPECT_TRUE(coordinator.EndSearch());
  EXPECT_TRUE(coordinator.TryBeginSearch());
}

TEST(Coordinator, DoesNotLetAWorkerSleepThatWasWokenBetweenItsAnnouncementAndItsSleep) {
  const HangGuard guard("a worker woken before it sleeps");
  Coordinator coordinator(1, 1);
  coordinator.AnnouncePark(0, false);
  ASSERT_EQ(coordinator.Notify().woken, 1U);
  EXPECT_FALSE(coordinator.CancelPark(0));
  EXPECT_FALSE(coordinator.TryEnd(0));
  EXPECT_EQ(coordinator.Park(0), Coordinator::Slept::kWoken);
}

TEST(Coordinator, CountsAWorkerThatCancelsItsSleepAsSearching) {
  Coordinator coordinator(2, 1);
  coordinator.AnnouncePark(0, false);
  EXPECT_TRUE(coordinator.CancelPark(0));
  EXPECT_FALSE(coordinator.TryBeginSearch());
  EXPECT_EQ(coordinator.Notify().woken, 0U);
  EXPECT_TRUE(coordinator.EndSearch());
  EXPECT_EQ(coordinator.Notify().woken, 0U) << "no worker is idle any more";
}

TEST(Coordinator, EndsNoWorkerWhileOneIsNotIdle) {
  Coordinator coordinator(2, 1);
  coordinator.RequestStop();
  EXPECT_FALSE(coordinator.AnnouncePark(0, false).last);
  EXPECT_FALSE(coordinator.TryEnd(0)) << "the other may still submit a task that needs us";
  EXPECT_TRUE(coordinator.AnnouncePark(1, false).last);
  EXPECT_TRUE(coordinator.TryEnd(1));
  EXPECT_EQ(coordinator.Park(0), Coordinator::Slept::kEnded) << "the idle one ends too";
}

TEST(Coordinator, EndsWorkersThatWereNeverAllStarted) {
  const HangGuard guard("workers of which some were never started");
  Coordinator coordinator(3, 1);
  coordinator.AnnouncePark(0, false);
  coordinator.Abandon();
  EXPECT_EQ(coordinator.Park(0), Coordinator::Slept::kEnded) << "idle before";
  EXPECT_TRUE(coordinator.AnnouncePark(1, false).last) << "idle after";
  EXPECT_TRUE(coordinator.TryEnd(1));
}

TEST(Coordinator, WakesASleepingWorker) {
  const HangGuard guard("a sleeping worker");
  Coordinator coordinator(1, 1);
  for (int round = 0; round < 1000; ++round) {
    std::atomic<bool> announced{false};
    std::jthread worker([&] {
      coordinator.AnnouncePark(0, false);
      announced = true;
      announced.notify_one();
      coordinator.Park(0);
      coordinator.EndSearch();
    });
    announced.wait(false);
    EXPECT_EQ(coordinator.Notify().woken, 1U);
  }
}

TEST(Coordinator, WakesAllSleepersToStop) {
  const HangGuard guard("stop");
  constexpr std::uint32_t kWorkers = 8;
  Coordinator coordinator(kWorkers, 4);
  std::atomic<std::uint32_t> announced{0};
  std::vector<std::jthread> workers;
  std::atomic<int> stopped{0};
  for (std::uint32_t i = 0; i < kWorkers; ++i) {
    workers.emplace_back([&, i] {
      EXPECT_FALSE(coordinator.AnnouncePark(i, false).last);
      ++announced;
      bool ended = coordinator.Park(i) == Coordinator::Slept::kEnded;
      while (!ended) {
        const bool last = coordinator.AnnouncePark(i, true).last;
        ended =
            (last && coordinator.TryEnd(i)) || coordinator.Park(i) == Coordinator::Slept::kEnded;
      }
      ++stopped;
    });
  }
  while (announced < kWorkers) {
    std::this_thread::yield();
  }
  coordinator.RequestStop();
  workers.clear();
  EXPECT_EQ(stopped, 8);
}

TEST(Coordinator, ReportsAnEarlierStopToTheLastWorker) {
  Coordinator coordinator(2, 1);
  EXPECT_FALSE(coordinator.AnnouncePark(0, false).last);
  EXPECT_TRUE(coordinator.CancelPark(0));
  EXPECT_TRUE(coordinator.EndSearch());
  coordinator.RequestStop();
  EXPECT_FALSE(coordinator.AnnouncePark(0, false).last);
  EXPECT_TRUE(coordinator.AnnouncePark(1, false).last);
}

TEST(Coordinator, ReturnsFromWaitIdleAtOnceWhenThereIsNothing) {
  Coordinator coordinator(2, 1);
  int asked = 0;
  coordinator.WaitIdle([&] {
    ++asked;
    return true;
  });
  EXPECT_EQ(asked, 1);
}

TEST(Coordinator, AsksAWaiterAgainWhenTheLastWorkerBecomesIdle) {
  const HangGuard guard("WaitIdle");
  for (int round = 0; round < 500; ++round) {
    Coordinator coordinator(2, 1);
    std::atomic<bool> idle{false};
    std::atomic<int> asked{0};
    std::jthread waiter([&] {
      coordinator.WaitIdle([&] {
        ++asked;
        return idle.load();
      });
    });
    while (asked == 0) {
      std::this_thread::yield();
    }
    coordinator.AnnouncePark(0, false);
    idle = true;
    coordinator.AnnouncePark(1, false);
  }
}

TEST(CoordinatorDeathTest, RefusesMoreWorkersThanItsWordCanCount) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(Coordinator coordinator(Coordinator::kMaxWorkers + 1, 1), "kMaxWorkers");
  EXPECT_DEATH(Coordinator coordinator(0, 1), "kMaxWorkers");
  const Coordinator most(Coordinator::kMaxWorkers, 1);
}

}  // namespace

}  // namespace schedbench::schedulers::coordinator_test

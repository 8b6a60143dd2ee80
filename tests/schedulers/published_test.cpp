// The nine algorithms of the toucan report: each is found by its name, and does what its name says.
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/schedulers/conformance/conformance.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests::published_test {

namespace {

using executors::Submit;

constexpr std::array kPublished{
    "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetAllFromGlob",
    "WorkStealing_MutexQueue_MutexQueue_StealOne_GetAllFromGlob",
    "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetOneFromGlob",
    "WorkStealing_MutexQueue_MutexQueue_StealOne_GetOneFromGlob",
    "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
    "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealHalf",
    "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealOne",
    "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealOne",
};

// No poll of the global queue after the very first.
constexpr Override kNoPolls{"global_poll_period", std::uint64_t{1'000'000}};

class Published : public testing::TestWithParam<const char*> {
 protected:
  static bool Says(std::string_view part) {
    return std::string_view(GetParam()).find(part) != std::string_view::npos;
  }

  const HangGuard hang_guard_{"a published algorithm"};
};

INSTANTIATE_TEST_SUITE_P(Names, Published, testing::ValuesIn(kPublished.begin(), kPublished.end()),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return info.param;
                         });

TEST_P(Published, IsFoundByExactlyItsName) {
  const registry::SchedulerEntry* const entry = registry::FindScheduler(GetParam());
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->name, GetParam());
  EXPECT_EQ(registry::FindScheduler(std::string(GetParam()) + "_"), nullptr);
}

TEST_P(Published, StealsOneOrHalfAsItsNameSays) {
  const std::uint64_t tasks = Says("LFABQueue") ? 256 : 1000;  // a MutexQueue has no limit
  const auto pool = MakeScheduler(GetParam(), 2);
  StealEach(*pool, tasks);
  // The task that held the second worker was stolen by itself.
  std::uint64_t steals = 1;
  for (std::uint64_t left = tasks; left > 0; ++steals) {
    left -= Says("StealHalf") ? (left + 1) / 2 : 1;
  }
  const Totals totals(*pool);
  EXPECT_EQ(totals["tasks_stolen"], tasks + 1);
  EXPECT_EQ(totals["steals"], steals);
}

TEST_P(Published, TakesOneOrAllFromTheGlobalQueueAsItsNameSays) {
  constexpr std::uint64_t kTasks = 1000;
  const auto pool = MakeScheduler(GetParam(), 1, {kNoPolls});
  RunOutsideThenInside(
      *pool,
      [&] {
        for (std::uint64_t i = 0; i < kTasks; ++i) {
          Submit(*pool, [] {});
        }
      },
      [] {});
  const Totals totals(*pool);
  EXPECT_EQ(totals["tasks_grabbed"], kTasks + 1);
  // The task that held the worker came by itself. An LFABQueue has no room for all, whatever they
  // are.
  EXPECT_EQ(totals["global_grabs"], Says("GetAllFromGlob") ? 2 : kTasks + 1);
}

TEST_P(Published, PutsOneOrHalfIntoTheGlobalQueueAsItsNameSays) {
  constexpr std::uint64_t kTasks = 1000;
  constexpr std::uint64_t kCapacity = 64;
  const auto pool =
      MakeScheduler(GetParam(), 1, {kNoPolls, {"local_queue_capacity", std::uint64_t{kCapacity}}});
  RunOutsideThenInside(
      *pool, [] {},
      [&] {
        for (std::uint64_t i = 0; i < kTasks; ++i) {
          Submit(*pool, [] {});
        }
      });
  const Totals totals(*pool);
  EXPECT_EQ(totals["tasks_run"], kTasks + 1);
  if (Says("LFABQueue")) {
    // Half of a full queue and the task that had no room; or that task alone.
    const std::uint64_t moved = Says("PutHalfToGlob") ? kCapacity / 2 + 1 : 1;
    const std::uint64_t offloads = (kTasks - kCapacity + moved - 1) / moved;
    EXPECT_EQ(totals["offloads"], offloads);
    EXPECT_EQ(totals["tasks_offloaded"], offloads * moved);
  } else {
    EXPECT_EQ(totals["offloads"], 0U) << "a MutexQueue has no limit";
  }
}

TEST_P(Published, HasNoSlotAndYieldsToItsOwnQueueLikeThePublishedCode) {
  const auto pool = MakeScheduler(GetParam(), 1, {kNoPolls});
  RunOrder order;
  const auto named = [&](const char* name, executors::SchedulerHint hint) {
    Submit(*pool, [&order, name] { order.Add(name); }, hint);
  };
  RunOutsideThenInside(
      *pool, [&] { named("outside", executors::SchedulerHint::UpToYou); },
      [&] {
        named("yielded", executors::SchedulerHint::Yield);
        named("local", executors::SchedulerHint::UpToYou);
        named("next", executors::SchedulerHint::Next);
      });
  EXPECT_EQ(order.Text(), "yielded local next outside");
  EXPECT_EQ(Totals(*pool)["from_lifo"], 0U);
}

// What a scheduler promises first of all. The rest of the conformance suite is about code that all
// of them share with `work_stealing`; in the full tier it runs for them, too.

class PublishedOnFourWorkers : public Published {
 protected:
  const std::unique_ptr<registry::IScheduler> pool_ = MakeScheduler(GetParam(), 4);
};

INSTANTIATE_TEST_SUITE_P(Names, PublishedOnFourWorkers,
                         testing::ValuesIn(kPublished.begin(), kPublished.end()),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return info.param;
                         });

TEST_P(PublishedOnFourWorkers, RunsEachTaskExactlyOnceFromEverySubmitterWithEveryHint) {
  constexpr std::size_t kTasks = PlainOrSanitized<std::size_t>(8000, 2000);
  std::vector<ProbeTask> tasks(2 * kTasks);
  RandomHint outside(1);
  FunctionTask root([&] {
    RandomHint inside(2);
    for (std::size_t i = kTasks; i < 2 * kTasks; ++i) {
      pool_->Submit(&tasks[i], inside());
    }
  });
  pool_->Submit(&root, SchedulerHint::UpToYou);
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool_->Submit(&tasks[i], outside());
  }
  pool_->WaitIdle();
  EXPECT_EQ(NotRunOnce(tasks), 0U);
  EXPECT_EQ(Totals(*pool_)["tasks_run"], 2 * kTasks + 1);
}

TEST_P(PublishedOnFourWorkers, WaitsIdleForAChainThatIsUnderWay) {
  constexpr int kRounds = PlainOrSanitized(100, 30);
  constexpr int kHops = 100;
  for (int round = 0; round < kRounds; ++round) {
    int hops = 0;  // by one task at a time
    FunctionTask task;
    task.SetBody([&] {
      if (++hops < kHops) {
        pool_->Submit(&task, static_cast<SchedulerHint>((round + hops) % 3));
      }
    });
    pool_->Submit(&task, SchedulerHint::UpToYou);
    pool_->WaitIdle();
    ASSERT_EQ(hops, kHops) << "round " << round;
  }
}

TEST_P(PublishedOnFourWorkers, RunsAsManyBlockingTasksAsItHasWorkers) {
  constexpr int kRounds = PlainOrSanitized(100, 30);
  for (int round = 0; round < kRounds; ++round) {
    ThreadBarrier barrier(4);
    std::vector<FunctionTask> tasks(4);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].SetBody([&, i] {
        if (i + 1 < tasks.size()) {
          pool_->Submit(&tasks[i + 1], SchedulerHint::UpToYou);
        }
        barrier.ArriveAndWait();
      });
    }
    pool_->Submit(&tasks[0], SchedulerHint::UpToYou);
    pool_->WaitIdle();
  }
}

TEST_P(PublishedOnFourWorkers, RunsFibersThatYieldAndWaitForEachOther) {
  constexpr int kPairs = 10;
  constexpr int kRounds = PlainOrSanitized(200, 50);
  std::vector<std::unique_ptr<fibers::Channel<int>>> channels;
  fibers::WaitGroup done;
  done.Add(std::uint64_t{2} * kPairs);
  std::atomic<int> wrong{0};
  for (int pair = 0; pair < kPairs; ++pair) {
    auto& channel = *channels.emplace_back(std::make_unique<fibers::Channel<int>>(pair % 3));
    fibers::Go(*pool_, [&] {
      for (int i = 0; i < kRounds; ++i) {
        channel.Send(i);
        fibers::Yield();
      }
      done.Done();
    });
    fibers::Go(*pool_, [&] {
      for (int i = 0; i < kRounds; ++i) {
        wrong += channel.Receive() == i ? 0 : 1;
      }
      done.Done();
    });
  }
  done.Wait();
  pool_->WaitIdle();
  EXPECT_EQ(wrong, 0);
}

TEST(GlobalFIFO, IsAnotherNameOfGlobalFifo) {
  const registry::SchedulerEntry* const entry = registry::FindScheduler("GlobalFIFO");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry, registry::FindScheduler("global_fifo"));
  EXPECT_EQ(registry::FindScheduler("GlobalFifo"), nullptr);
}

TEST(GlobalFIFO, TakesEveryTaskFromTheOneQueueInTheOrderOfTheSubmits) {
  const HangGuard guard("GlobalFIFO");
  const auto pool = MakeScheduler("GlobalFIFO", 1);
  RunOrder order;
  const auto numbered = [&](int first, executors::SchedulerHint hint) {
    for (int i = first; i < first + 3; ++i) {
      Submit(*pool, [&order, i] { order.Add(std::to_string(i)); }, hint);
    }
  };
  RunOutsideThenInside(
      *pool, [&] { numbered(0, executors::SchedulerHint::UpToYou); },
      [&] {
        numbered(3, executors::SchedulerHint::Next);
        numbered(6, executors::SchedulerHint::Yield);
      });
  EXPECT_EQ(order.Text(), "0 1 2 3 4 5 6 7 8");
  EXPECT_EQ(Totals(*pool)["from_global"], 10U);
}

}  // namespace

}  // namespace schedbench::tests::published_test

// What the scheduler counts is what has happened. Nothing here depends on timing: workers are held
// by tasks that block until the situation is set up.
#include "executors/submit.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace schedbench::tests::fast_test {

namespace {

using executors::SchedulerHint;
using executors::Submit;
using platform::ThreadEvent;

// A chain of `left` further tasks, each submitted by the one before.
void SubmitChain(registry::IScheduler& scheduler, std::uint64_t left) {
  if (left > 0) {
    Submit(scheduler, [&scheduler, left] { SubmitChain(scheduler, left - 1); });
  }
}

TEST(FastMetrics, SearchTimePassesNeitherInATaskNorAsleepAndParkTimeOnlyAsleep) {
  const HangGuard guard("the worker does not sleep");
  const auto pool = MakeScheduler("fast", 1);
  const auto wait_for_sleep = [&] {
    const std::uint64_t before = Totals(*pool)["park_ns"];
    while (Totals(*pool)["park_ns"] == before) {
    }
  };
  // Returns by how much a metric grows in a millisecond.
  const auto growth = [&](std::string_view metric) {
    const std::uint64_t before = Totals(*pool)[metric];
    const std::uint64_t end = platform::NowNs() + 1'000'000;
    while (platform::NowNs() < end) {
    }
    return Totals(*pool)[metric] - before;
  };
  wait_for_sleep();
  EXPECT_GT(Totals(*pool)["search_ns"], 0U) << "on the way to sleep";
  EXPECT_EQ(growth("search_ns"), 0U);
  EXPECT_GE(growth("park_ns"), 1'000'000U);
  Submit(*pool, [&] {
    EXPECT_EQ(growth("search_ns"), 0U);
    EXPECT_EQ(growth("park_ns"), 0U);
  });
  pool->WaitIdle();
}

TEST(FastMetrics, GlobalPollHitsAreThePollsThatFoundATask) {
  for (const std::uint64_t period : {1U, 1'000'000U}) {
    const auto pool = MakeScheduler("fast", 1, {{"global_poll_period", period}});
    RunOutsideThenInside(
        *pool,
        [&] {
          for (int i = 0; i < 5; ++i) {
            Submit(*pool, [] {});
          }
        },
        [&] { SubmitChain(*pool, 100); });
    // What held the worker may have come by the very first poll.
    const std::uint64_t hits = Totals(*pool)["global_poll_hits"];
    EXPECT_GE(hits, period == 1 ? 5U : 0U);
    EXPECT_LE(hits, period == 1 ? 6U : 1U);
  }
}

TEST(FastMetrics, NotifySkippedNoIdleAreTheTasksThatOthersCouldTakeWhileAllWereBusy) {
  const HangGuard guard("two tasks at a time");
  const auto alone = MakeScheduler("fast", 1);
  Submit(*alone, [&] { SubmitChain(*alone, 10); });
  alone->WaitIdle();
  EXPECT_EQ(Totals(*alone)["notify_skipped_no_idle"], 0U) << "there is no other worker";

  const auto pool = MakeScheduler("fast", 2);
  ThreadEvent other_is_held;
  ThreadEvent release_other;
  Submit(*pool, [&] {
    Submit(*pool, [&] {
      other_is_held.Set();
      release_other.Wait();
    });
    other_is_held.Wait();  // no worker searches or sleeps
    const Totals before(*pool);
    for (int i = 0; i < 10; ++i) {
      Submit(*pool, [] {});
    }
    const Totals after(*pool);
    EXPECT_EQ(after["notify_skipped_no_idle"] - before["notify_skipped_no_idle"], 10U);
    Submit(*pool, [] {}, SchedulerHint::Next);
    EXPECT_LE(Totals(*pool)["notify_skipped_no_idle"] - after["notify_skipped_no_idle"], 1U)
        << "the slot is for others only where no worker watches it";
    EXPECT_EQ(after["notify_skipped_searching"], before["notify_skipped_searching"]);
    EXPECT_EQ(after["wakes_sent"], before["wakes_sent"]);
    release_other.Set();
  });
  pool->WaitIdle();
}

TEST(FastMetrics, NotifySkippedSearchingAreTheTasksThatASearcherWasLeftTo) {
  const HangGuard guard("no worker ever searched at a submit");
  const auto pool = MakeScheduler("fast", 3);
  // The first submit wakes one of the two other workers, which searches; one of those that follow
  // meets it at that while the third is still parked, sooner or later.
  while (Totals(*pool)["notify_skipped_searching"] == 0) {
    Submit(*pool, [&] {
      for (int i = 0; i < 100; ++i) {
        Submit(*pool, [] {});
      }
    });
    pool->WaitIdle();
  }
}

TEST(FastMetrics, TasksStolenFromAWorkerAreThoseThatTheOtherHasStolen) {
  const HangGuard guard("stealing");
  const auto pool = MakeScheduler("fast", 2);
  StealEach(*pool, 100);
  const auto readings = pool->ReadWorkers();
  const auto value = [&](std::size_t worker, std::string_view metric) {
    return readings[worker].values[metrics::MetricIndex(metric)];
  };
  EXPECT_EQ(value(0, "tasks_stolen_from"), value(1, "tasks_stolen"));
  EXPECT_EQ(value(1, "tasks_stolen_from"), value(0, "tasks_stolen"));
  EXPECT_EQ(value(0, "tasks_stolen_from") + value(1, "tasks_stolen_from"), 101U);
}

TEST(FastMetrics, SearchesThatFoundATaskAreCounted) {
  const HangGuard guard("stealing");
  const auto pool = MakeScheduler("fast", 2);
  StealEach(*pool, 1);
  // Of the search for the task that held the other worker, and of that for the one that was stolen
  // then, if it is another.
  const Totals totals(*pool);
  EXPECT_GE(totals["searches_found"], 1U);
  EXPECT_LE(totals["searches_found"], 1 + totals["steals"] + totals["global_grabs"]);
  const auto alone = MakeScheduler("fast", 1);
  Submit(*alone, [] {});
  alone->WaitIdle();
  EXPECT_EQ(Totals(*alone)["searches_found"], 0U) << "there is no worker to steal from";
}

TEST(FastMetrics, StateShowsWhereTasksWait) {
  const auto pool = MakeScheduler("fast", 1);
  const auto waiting = [&pool] {
    std::map<std::string, std::uint64_t> tasks;
    for (const registry::PoolState::Queue& queue : pool->State().queues) {
      tasks[queue.name] = queue.tasks;
    }
    return tasks;
  };
  RunOutsideThenInside(
      *pool,
      [&] {
        Submit(*pool, [] {});
        Submit(*pool, [] {});
      },
      [&] {
        for (int i = 0; i < 3; ++i) {
          Submit(*pool, [] {});
        }
        Submit(*pool, [] {}, SchedulerHint::Next);
        Submit(*pool, [] {}, SchedulerHint::Yield);
        EXPECT_EQ(waiting(), (std::map<std::string, std::uint64_t>{
                                 {"global queue", 2},
                                 {"LIFO slot of worker 0", 1},
                                 {"local queue of worker 0", 3},
                                 {"yield queue of worker 0", 1},
                                 {"forked calls of worker 0", 0},
                             }));
        EXPECT_EQ(pool->State().active, 1U);
        EXPECT_EQ(pool->State().idle, 0U);
      });
  for (const auto& [name, tasks] : waiting()) {
    EXPECT_EQ(tasks, 0U) << name;
  }
}

TEST(FastMetrics, StateShowsHowManyWorkersSleep) {
  const HangGuard guard("the workers do not go to sleep");
  const auto pool = MakeScheduler("fast", 3);
  while (pool->State().idle != 3) {
  }
  EXPECT_EQ(pool->State().active, 3U);
  EXPECT_EQ(pool->State().searching, 0U);
  ASSERT_TRUE(pool->SetActiveWorkers(2));
  EXPECT_EQ(pool->State().active, 2U);
}

TEST(FastMetrics, StacksAreCountedWhereTheyAreMade) {
  const auto pool = MakeScheduler("fast", 1);
  const auto made = [&pool] {
    return pool->ReadPool()[metrics::MetricIndex("stacks_made", metrics::PoolMetricList())];
  };
  Submit(*pool, [] {});
  pool->WaitIdle();
  const std::uint64_t first = made();
  EXPECT_GT(first, 0U);
  Submit(*pool, [] {});
  pool->WaitIdle();
  EXPECT_EQ(made(), first) << "a task that does not suspend needs none of its own";
}

}  // namespace

}  // namespace schedbench::tests::fast_test

// Each part of `work_stealing` that can be chosen does what its name says, with each local queue.
#include "executors/submit.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace schedbench::tests::parts_test {

namespace {

using executors::Submit;
using registry::IScheduler;

constexpr std::uint64_t kNever = 1'000'000;
constexpr std::uint64_t kCapacity = 64;

// By local queue.
class Parts : public testing::TestWithParam<std::string> {
 protected:
  static bool IsBounded() {
    return GetParam() != "mutex";
  }

  // Without polls of the global queue, but for the very first.
  static std::unique_ptr<IScheduler> Make(std::uint32_t workers, std::string_view field,
                                          std::string_view value) {
    return MakeScheduler("work_stealing", workers,
                         {{"local_queue", GetParam()},
                          {"local_queue_capacity", kCapacity},
                          {"global_poll_period", kNever},
                          {field, std::string(value)}});
  }

  // The ways in which one worker takes `tasks` tasks that came from outside while it was held.
  static Totals TakeExternal(IScheduler& pool, std::uint64_t tasks) {
    RunOutsideThenInside(pool, [&] { SubmitEmpty(pool, tasks); }, [] {});
    return Totals(pool);
  }

  static void SubmitEmpty(IScheduler& pool, std::uint64_t tasks) {
    for (std::uint64_t i = 0; i < tasks; ++i) {
      Submit(pool, [] {});
    }
  }

  const HangGuard hang_guard_{"a part of a scheduler"};
};

INSTANTIATE_TEST_SUITE_P(LocalQueues, Parts, testing::Values("mutex", "lfab", "two_head", "ring"),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

TEST_P(Parts, StealOneTakesOneTaskPerSteal) {
  const auto pool = Make(2, "steal", "one");
  StealEach(*pool, kCapacity);
  EXPECT_EQ(Totals(*pool)["tasks_stolen"], kCapacity + 1);
  EXPECT_EQ(Totals(*pool)["steals"], kCapacity + 1);
}

TEST_P(Parts, StealHalfTakesHalfOfWhatIsThereButNoMoreThanStealBatch) {
  for (const std::uint64_t batch : {std::uint64_t{4}, kCapacity}) {
    const auto pool = MakeScheduler(
        "work_stealing", 2,
        {{"local_queue", GetParam()}, {"local_queue_capacity", kCapacity}, {"steal_batch", batch}});
    StealEach(*pool, kCapacity);
    std::uint64_t steals = 1;  // the task that held the second worker was stolen by itself
    for (std::uint64_t left = kCapacity; left > 0; ++steals) {
      left -= std::min((left + 1) / 2, batch);
    }
    EXPECT_EQ(Totals(*pool)["tasks_stolen"], kCapacity + 1);
    EXPECT_EQ(Totals(*pool)["steals"], steals) << batch;
  }
}

TEST_P(Parts, GlobalGrabOneTakesOneTaskPerGrab) {
  const auto pool = Make(1, "global_grab", "one");
  const Totals totals = TakeExternal(*pool, 200);
  EXPECT_EQ(totals["tasks_grabbed"], 201U);
  EXPECT_EQ(totals["global_grabs"], 201U);
}

TEST_P(Parts, GlobalGrabAllTakesAllThatFits) {
  const auto pool = Make(1, "global_grab", "all");
  const Totals totals = TakeExternal(*pool, 200);
  EXPECT_EQ(totals["tasks_grabbed"], 201U);
  // The task that held the worker came by itself. Beside a full queue one runs at once.
  const std::uint64_t room = IsBounded() ? kCapacity + 1 : 200;
  EXPECT_EQ(totals["global_grabs"], 1 + (200 + room - 1) / room);
}

// How many grabs it takes one of `workers` workers to take 200 tasks that came from outside, at
// most `most` by each of `sharers`; with those that held the workers.
std::uint64_t GrabsOf(std::uint32_t workers, std::uint64_t most, std::uint64_t sharers) {
  std::uint64_t grabs = workers;
  for (std::uint64_t left = 200; left > 0; ++grabs) {
    left -= std::min((left + sharers - 1) / sharers, most);
  }
  return grabs;
}

TEST_P(Parts, GlobalGrabFairShareTakesThePartOfOneWorkerAndAtMostHalfOfALocalQueue) {
  for (const std::uint32_t workers : {1U, 2U}) {
    const auto pool = Make(workers, "global_grab", "fair_share");
    TakeExternalAlone(*pool, workers, 200);
    EXPECT_EQ(Totals(*pool)["tasks_grabbed"], 200 + workers);
    EXPECT_EQ(Totals(*pool)["global_grabs"], GrabsOf(workers, kCapacity / 2, workers)) << workers;
  }
}

TEST_P(Parts, GlobalGrabHalfCapacityTakesHalfOfALocalQueueWhateverTheOthersNeed) {
  for (const std::uint32_t workers : {1U, 2U}) {
    const auto pool = Make(workers, "global_grab", "half_capacity");
    TakeExternalAlone(*pool, workers, 200);
    EXPECT_EQ(Totals(*pool)["tasks_grabbed"], 200 + workers);
    EXPECT_EQ(Totals(*pool)["global_grabs"], GrabsOf(workers, kCapacity / 2, 1)) << workers;
  }
}

// The Go article has tasks go from the global queue through a local one, so that the lock is paid
// once for many.
TEST_P(Parts, OfABatchFromTheGlobalQueueAllButTheFirstPassThroughTheLocalQueue) {
  for (const std::string_view order : {"s0", "s3", "s4"}) {
    const auto pool = Make(1, "pick_order", order);
    const Totals totals = TakeExternal(*pool, 200);
    EXPECT_GT(totals["tasks_grabbed"], totals["global_grabs"]) << order;
    EXPECT_EQ(totals["from_global"], totals["global_grabs"]) << order;
    EXPECT_EQ(totals["from_local"], totals["tasks_grabbed"] - totals["global_grabs"]) << order;
  }
}

TEST_P(Parts, WhatCameFromTheGlobalQueueStandsInTheLocalOneBeforeTheTasksThatItSubmits) {
  for (const std::string_view order : {"s0", "s3", "s4"}) {
    for (const std::string_view take : {"one", "fair_share"}) {
      const auto pool = MakeScheduler("work_stealing", 1,
                                      {{"local_queue", GetParam()},
                                       {"global_poll_period", kNever},
                                       {"pick_order", std::string(order)},
                                       {"global_grab", std::string(take)}});
      RunOrder ran;
      RunOutsideThenInside(
          *pool,
          [&] {
            Submit(*pool, [&] {
              ran.Add("G1");
              Submit(*pool, [&] { ran.Add("L"); });
            });
            Submit(*pool, [&] { ran.Add("G2"); });
            Submit(*pool, [&] { ran.Add("G3"); });
          },
          [] {});
      EXPECT_EQ(ran.Text(), take == "one" ? "G1 L G2 G3" : "G1 G2 G3 L") << order;
    }
  }
}

TEST_P(Parts, OverflowIsOneTaskOrHalfOfTheQueueAndTheTaskThatHadNoRoom) {
  constexpr std::uint64_t kTasks = 1000;
  for (const std::string_view overflow : {"one", "half", "older_half"}) {
    const auto pool = Make(1, "overflow", overflow);
    RunOutsideThenInside(*pool, [] {}, [&] { SubmitEmpty(*pool, kTasks); });
    const Totals totals(*pool);
    EXPECT_EQ(totals["tasks_run"], kTasks + 1);
    const std::uint64_t moved = overflow == "one" ? 1 : kCapacity / 2 + 1;
    const std::uint64_t offloads = IsBounded() ? (kTasks - kCapacity + moved - 1) / moved : 0;
    EXPECT_EQ(totals["offloads"], offloads) << overflow;
    EXPECT_EQ(totals["tasks_offloaded"], offloads * moved) << overflow;
  }
}

TEST_P(Parts, OverflowGivesAwayTheNewerHalfWhereTheQueueCanAndOtherwiseTheOlder) {
  for (const std::string_view overflow : {"half", "older_half"}) {
    const auto pool = MakeScheduler("work_stealing", 1,
                                    {{"local_queue", GetParam()},
                                     {"local_queue_capacity", std::uint64_t{4}},
                                     {"global_poll_period", kNever},
                                     {"overflow", std::string(overflow)}});
    RunOrder order;
    RunOutsideThenInside(
        *pool, [] {},
        [&] {
          for (int i = 1; i <= 5; ++i) {
            Submit(*pool, [&order, i] { order.Add(std::to_string(i)); });
          }
        });
    const bool newer = GetParam() == "ring" && overflow == "half";
    EXPECT_EQ(order.Text(), newer || !IsBounded() ? "1 2 3 4 5" : "3 4 1 2 5") << overflow;
  }
}

// How many sleepers a task woke by its one submit, again and again until `enough` of them.
std::uint64_t MostWokenByASubmit(IScheduler& pool, std::uint64_t enough, int max_submits) {
  std::atomic<std::uint64_t> most{0};
  for (int i = 0; i < max_submits && most < enough; ++i) {
    Submit(pool, [&] {
      const auto before = pool.ReadWorkers();
      Submit(pool, [] {});
      const auto after = pool.ReadWorkers();
      for (std::size_t worker = 0; worker < before.size(); ++worker) {
        const auto rise = [&](std::string_view name) {
          const std::size_t metric = metrics::MetricIndex(name);
          return after[worker].values[metric] - before[worker].values[metric];
        };
        // Its own worker is the one that has submitted.
        if (rise("tasks_submitted") == 1) {
          most = std::max(most.load(), rise("wakes_sent"));
        }
      }
    });
    pool.WaitIdle();
  }
  return most;
}

TEST_P(Parts, NotifyAllUnderLockWakesAllThatSleepByOneSubmit) {
  const auto pool = Make(4, "notify", "all_under_lock");
  EXPECT_EQ(MostWokenByASubmit(*pool, 3, std::numeric_limits<int>::max()), 3U);
}

TEST_P(Parts, NotifyOneWakesAtMostOneByASubmit) {
  const auto pool = Make(4, "notify", "one");
  EXPECT_EQ(MostWokenByASubmit(*pool, 1, std::numeric_limits<int>::max()), 1U);
  EXPECT_LE(MostWokenByASubmit(*pool, 2, 500), 1U);
}

// Submits a task that submits the next, `left` times, and then does `at_end` in the last.
void SubmitChain(IScheduler& pool, std::uint64_t left, const std::function<void()>& at_end) {
  Submit(pool, [&pool, left, &at_end] {
    if (left == 0) {
      at_end();
    } else {
      SubmitChain(pool, left - 1, at_end);
    }
  });
}

// How often one worker looked at the global queue while it picked `tasks` tasks of a chain. Read by
// the worker itself: what it does before the chain and after it, with nothing to do, depends on
// time.
std::uint64_t PollsDuringAChain(IScheduler& pool, std::uint64_t tasks) {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  const std::function<void()> read_after = [&] { after = Totals(pool)["global_polls"]; };
  Submit(pool, [&] {
    before = Totals(pool)["global_polls"];
    SubmitChain(pool, tasks - 1, read_after);
  });
  pool.WaitIdle();
  return after - before;
}

std::vector<std::uint64_t> Periods() {
  return FullTier() ? std::vector<std::uint64_t>{1, 2, 7, 31, 61, 127, 400, 1'000'000}
                    : std::vector<std::uint64_t>{1, 61, 400};
}

// With every scheduler that has the field.
TEST(GlobalPollPeriod, IsTheNumberOfPicksBetweenLooksAtTheGlobalQueueAnd61ByDefault) {
  const HangGuard guard("polls");
  constexpr std::uint64_t kTasks = 2000;
  for (const std::string& spec : EverySchedulerSpec()) {
    const registry::SchedulerEntry& entry =
        *registry::FindScheduler(spec.substr(0, spec.find(':')));
    const config::Leaf* const leaf = entry.schema().FindLeaf("global_poll_period");
    if (leaf == nullptr) {
      continue;
    }
    EXPECT_EQ(leaf->field->default_value, config::Value{std::uint64_t{61}}) << spec;
    for (const std::uint64_t period : Periods()) {
      const auto pool = MakeScheduler(spec, 1, {{"global_poll_period", period}});
      // By where in its period the worker is when the chain begins, and whether a look is counted
      // before or after its task begins, there is one less or more.
      const std::uint64_t polls = PollsDuringAChain(*pool, kTasks);
      EXPECT_GE(polls + 1, kTasks / period) << spec << " " << period;
      EXPECT_LE(polls, kTasks / period + 1) << spec << " " << period;
    }
  }
}

}  // namespace

}  // namespace schedbench::tests::parts_test

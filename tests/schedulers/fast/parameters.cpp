// Each parameter of the scheduler moves the metric that it should. Nothing here depends on timing:
// workers are held by tasks that block until the situation is set up.
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/threads/thread_event.hpp"
#include "registry/scheduler.hpp"
#include "tests/support/requirements.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace schedbench::tests::parameters_test {

namespace {

using executors::SchedulerHint;
using executors::Submit;
using platform::ThreadEvent;
using registry::IScheduler;

std::unique_ptr<IScheduler> MakeFast(std::uint32_t workers,
                                     std::initializer_list<Override> overrides = {}) {
  return MakeScheduler("fast", workers, overrides);
}

// Runs `body` as a task and waits for all that follows from it.
void RunAsTask(IScheduler& scheduler, std::function<void()> body) {
  Submit(scheduler, std::move(body));
  scheduler.WaitIdle();
}

// A chain of `left` further tasks, each submitted by the one before with `hint`.
void Chain(
    IScheduler& scheduler, std::uint64_t left, SchedulerHint hint,
    std::function<void()> at_end = [] {}) {
  if (left == 0) {
    at_end();
    return;
  }
  Submit(
      scheduler,
      [&scheduler, left, hint, at_end = std::move(at_end)]() mutable {
        Chain(scheduler, left - 1, hint, std::move(at_end));
      },
      hint);
}

// Submits itself again while `resubmits` is true: the local queue of a lone worker never gets
// empty.
void Filler(IScheduler& scheduler, const bool& resubmits) {
  Submit(scheduler, [&] {
    if (resubmits) {
      Filler(scheduler, resubmits);
    }
  });
}

constexpr std::uint64_t kChain = 1200;

// One worker runs a chain of tasks of the hint Next alongside a task that always waits in the local
// queue.
Totals RunChainBesideAQueuedTask(std::uint64_t lifo_limit) {
  const auto pool = MakeFast(1, {{"lifo_limit", lifo_limit}});
  bool resubmits = true;
  RunAsTask(*pool, [&] {
    Filler(*pool, resubmits);
    Chain(*pool, kChain, SchedulerHint::Next, [&] { resubmits = false; });
  });
  return Totals(*pool);
}

TEST(FastParameters, LifoLimitZeroMeansThatThereIsNoSlot) {
  const Totals totals = RunChainBesideAQueuedTask(0);
  EXPECT_EQ(totals["from_lifo"], 0U);
  EXPECT_EQ(totals["lifo_capped"], 0U);
  EXPECT_EQ(totals["lifo_displaced"], 0U);
  EXPECT_EQ(totals["submits_next"], kChain);
}

TEST(FastParameters, LifoLimitIsTheNumberOfTasksFromTheSlotInARow) {
  for (const std::uint64_t limit : {1U, 3U, 9U, 49U}) {
    const Totals totals = RunChainBesideAQueuedTask(limit);
    // `limit` tasks from the slot, then one that is sent to the queue.
    EXPECT_NEAR(static_cast<double>(totals["lifo_capped"]),
                static_cast<double>(kChain) / static_cast<double>(limit + 1), 2)
        << limit;
    EXPECT_EQ(totals["from_lifo"] + totals["lifo_capped"], kChain) << limit;
  }
  const Totals totals = RunChainBesideAQueuedTask(kChain);
  EXPECT_EQ(totals["lifo_capped"], 0U);
  EXPECT_EQ(totals["from_lifo"], kChain);
}

TEST(FastParameters, LifoLimitDoesNotBindWhereNothingElseWaits) {
  const auto pool = MakeFast(1, {{"lifo_limit", std::uint64_t{1}}});
  RunAsTask(*pool, [&] { Chain(*pool, kChain, SchedulerHint::Next); });
  EXPECT_EQ(Totals(*pool)["from_lifo"], kChain);
  EXPECT_EQ(Totals(*pool)["lifo_capped"], 0U);
}

TEST(FastParameters, GlobalPollPeriodBoundsHowLongATaskFromOutsideWaits) {
  for (const std::uint64_t period : {2U, 61U, 400U}) {
    const auto pool = MakeFast(1, {{"global_poll_period", period}});
    ThreadEvent begun;
    ThreadEvent submitted;
    bool resubmits = true;
    std::uint64_t others = 0;
    std::function<void()> filler = [&] {
      if (resubmits) {
        ++others;
        Submit(*pool, filler);
      }
    };
    Submit(*pool, [&] {
      Submit(*pool, filler);
      begun.Set();
      submitted.Wait();
    });
    begun.Wait();  // else the worker could take both tasks at once
    Submit(*pool, [&] { resubmits = false; });
    submitted.Set();
    pool->WaitIdle();
    EXPECT_LE(others, period);
    // Less the picks that found nothing before.
    EXPECT_GE(others + 20, period) << "the poll is more frequent than asked for";
  }
}

TEST(FastParameters, GlobalPollPeriodOfOneStarvesNoTask) {
  const auto pool = MakeFast(1, {{"global_poll_period", std::uint64_t{1}}});
  bool over = false;
  // Both keep the polls supplied; the third stands in the local queue.
  for (int i = 0; i < 2; ++i) {
    fibers::Go(*pool, [&over] {
      while (!over) {
        fibers::Yield();
      }
    });
  }
  fibers::Go(*pool, [&over] { fibers::Go([&over] { over = true; }); });
  pool->WaitIdle();
  EXPECT_TRUE(over);
}

// Holds the second worker until the first has queued `tasks` tasks, then holds the first until the
// second has run all of them: each of them was stolen.
Totals StealAll(IScheduler& pool, std::uint64_t tasks) {
  ThreadEvent second_is_held;
  ThreadEvent release_second;
  ThreadEvent all_ran;
  std::atomic<std::uint64_t> ran{0};
  Submit(pool, [&] {
    Submit(pool, [&] {
      second_is_held.Set();
      release_second.Wait();
    });
    // The task just submitted can begin nowhere but on the other worker.
    second_is_held.Wait();
    for (std::uint64_t i = 0; i < tasks; ++i) {
      Submit(pool, [&] {
        if (++ran == tasks) {
          all_ran.Set();
        }
      });
    }
    release_second.Set();
    all_ran.Wait();
  });
  pool.WaitIdle();
  return Totals(pool);
}

TEST(FastParameters, StealBatchBoundsTheTasksOfASteal) {
  const HangGuard guard("stealing");
  constexpr std::uint64_t kTasks = 128;
  for (const std::uint64_t batch : {1U, 2U, 16U, 64U, 128U}) {
    const auto pool = MakeFast(2, {{"steal_batch", batch}});
    const Totals totals = StealAll(*pool, kTasks);
    // The task that held the worker was stolen by itself.
    std::uint64_t steals = 1;
    for (std::uint64_t left = kTasks; left > 0; ++steals) {
      left -= std::min(batch, (left + 1) / 2);
    }
    EXPECT_EQ(totals["tasks_stolen"], kTasks + 1) << batch;
    EXPECT_EQ(totals["steals"], steals) << batch;
    EXPECT_LE(totals["tasks_stolen"], totals["steals"] * batch) << batch;
  }
}

TEST(FastParameters, WorkersIsTheNumberOfThreadsThatRunTasks) {
  const HangGuard guard("a task per worker");
  for (const std::uint32_t workers : {1U, 2U, 5U, 48U}) {
    const auto pool = MakeFast(workers);
    std::atomic<std::uint32_t> missing{workers};
    ThreadEvent all_run;
    for (std::uint32_t i = 0; i < workers; ++i) {
      Submit(*pool, [&] {
        if (--missing == 0) {
          all_run.Set();
        }
        all_run.Wait();
      });
    }
    pool->WaitIdle();
    const auto readings = pool->ReadWorkers();
    ASSERT_EQ(readings.size(), workers);
    for (const registry::WorkerReading& reading : readings) {
      EXPECT_EQ(reading.values[metrics::MetricIndex("tasks_run")], 1U);
    }
  }
}

TEST(FastParameters, LocalQueueCapacityDecidesWhenTasksAreOffloaded) {
  constexpr std::uint64_t kTasks = 1000;
  for (const std::uint64_t capacity : {2U, 16U, 256U, 1024U}) {
    const auto pool = MakeFast(1, {{"local_queue_capacity", capacity}});
    RunAsTask(*pool, [&] {
      for (std::uint64_t i = 0; i < kTasks; ++i) {
        Submit(*pool, [] {});
      }
    });
    // The first full queue takes `capacity` tasks; each offload moves the newer half of it and the
    // task that had no room, and makes room for half a queue.
    const std::uint64_t moved = capacity / 2 + 1;
    const std::uint64_t offloads = kTasks <= capacity ? 0 : (kTasks - capacity + moved - 1) / moved;
    const Totals totals = Totals(*pool);
    EXPECT_EQ(totals["offloads"], offloads) << capacity;
    EXPECT_EQ(totals["tasks_offloaded"], offloads * moved) << capacity;
    EXPECT_EQ(totals["tasks_run"], kTasks + 1);
  }
}

TEST(FastParameters, YieldQueueCapacityDecidesHowManyYieldedTasksStayWithTheWorker) {
  constexpr std::uint64_t kTasks = 1000;
  for (const std::uint64_t capacity : {1U, 16U, 256U, 1024U}) {
    const auto pool = MakeFast(1, {{"yield_queue_capacity", capacity}});
    RunAsTask(*pool, [&] {
      for (std::uint64_t i = 0; i < kTasks; ++i) {
        Submit(*pool, [] {}, SchedulerHint::Yield);
      }
    });
    const Totals totals = Totals(*pool);
    EXPECT_EQ(totals["submits_yield"], kTasks);
    if (capacity == 1) {
      EXPECT_EQ(totals["tasks_grabbed"], kTasks + 1) << "all by way of the global queue";
      continue;
    }
    const std::uint64_t moved = capacity / 2 + 1;
    const std::uint64_t offloads = kTasks <= capacity ? 0 : (kTasks - capacity + moved - 1) / moved;
    EXPECT_EQ(totals["offloads"], offloads) << capacity;
    EXPECT_EQ(totals["tasks_grabbed"], offloads * moved + 1) << capacity;
  }
}

TEST(FastParameters, GlobalGrabIsOneTaskAFairShareHalfOfALocalQueueOrAllThatFits) {
  const HangGuard guard("taking from the global queue");
  constexpr std::uint64_t kTasks = 200;
  constexpr std::uint64_t kCapacity = 64;
  struct Case {
    const char* take;
    std::uint64_t most;
    std::uint64_t sharers;
  };
  for (const std::string_view global : {"mutex", "lock_free", "moodycamel"}) {
    for (const auto& [take, most, sharers] : {Case{"one", 1, 1},
                                              {"fair_share", kCapacity / 2, 2},
                                              {"half_capacity", kCapacity / 2, 1},
                                              {"all", kCapacity + 1, 1}}) {
      const auto pool = MakeFast(2, {{"global_queue", std::string(global)},
                                     {"global_grab", std::string(take)},
                                     {"local_queue_capacity", kCapacity},
                                     {"global_poll_period", std::uint64_t{1'000'000}}});
      TakeExternalAlone(*pool, 2, kTasks);
      std::uint64_t grabs = 2;  // what held the workers
      for (std::uint64_t left = kTasks; left > 0; ++grabs) {
        left -= std::min((left + sharers - 1) / sharers, most);
      }
      EXPECT_EQ(Totals(*pool)["tasks_grabbed"], kTasks + 2) << global << " " << take;
      EXPECT_EQ(Totals(*pool)["global_grabs"], grabs) << global << " " << take;
    }
  }
}

// All workers run out of work at the same moment, again and again.
void RunOutOfWork(IScheduler& pool, std::uint32_t workers) {
  std::atomic<std::uint32_t> missing{workers};
  for (std::uint32_t i = 0; i < workers; ++i) {
    Submit(pool, [&] {
      --missing;
      while (missing > 0) {
        std::this_thread::yield();
      }
    });
  }
  pool.WaitIdle();
}

TEST(FastParameters, MaxSearchingDeniesNoWorkerWhereAllMaySearch) {
  constexpr std::uint32_t kWorkers = 4;
  const auto pool = MakeFast(kWorkers, {{"max_searching", std::uint64_t{kWorkers}}});
  for (int round = 0; round < 200; ++round) {
    RunOutOfWork(*pool, kWorkers);
  }
  EXPECT_GT(Totals(*pool)["searches"], 0U);
  EXPECT_EQ(Totals(*pool)["searches_denied"], 0U);
}

TEST(FastParameters, MaxSearchingDeniesTheSearchToOthers) {
  SCHEDBENCH_REQUIRE_SECOND_CPU();
  constexpr std::uint32_t kWorkers = 4;
  const HangGuard guard("no search was ever denied");
  const auto pool = MakeFast(kWorkers, {{"max_searching", std::uint64_t{1}}});
  while (Totals(*pool)["searches_denied"] == 0) {
    RunOutOfWork(*pool, kWorkers);
  }
}

TEST(FastParameters, SeedIsTheOnlySourceOfRandomChoices) {
  // The sample of wake-up latencies is such a choice, and on one worker nothing else varies.
  const auto sampled = [](std::uint64_t seed) {
    const registry::SchedulerEntry& entry = *registry::FindScheduler("fast");
    config::Settings settings(entry.schema());
    settings.Set("workers", std::uint64_t{1}, {});
    const auto pool = entry.make(settings, seed);
    std::vector<std::uint64_t> totals;
    for (int i = 0; i < 200; ++i) {
      RunAsTask(*pool, [&] { Chain(*pool, 10, SchedulerHint::UpToYou); });
      totals.push_back(pool->ReadWorkers()[0].wakeup_ticks.Total());
    }
    return totals;
  };
  // From outside the sampler is the thread's own, made at its first task: one for both runs would
  // continue.
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> again;
  std::vector<std::uint64_t> other;
  std::jthread([&] { first = sampled(1); }).join();
  std::jthread([&] { again = sampled(1); }).join();
  std::jthread([&] { other = sampled(2); }).join();
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

}  // namespace

}  // namespace schedbench::tests::parameters_test

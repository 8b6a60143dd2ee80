#include "tests/schedulers/conformance/conformance.hpp"

namespace schedbench::tests::life_cycle_test {

namespace {

// Submits `generations` further tasks, one by the other.
void SubmitChain(IExecutor& executor, std::atomic<int>& runs, int generations) {
  executors::Submit(executor, [&executor, &runs, generations] {
    ++runs;
    if (generations > 1) {
      SubmitChain(executor, runs, generations - 1);
    }
  });
}

TEST_P(Conformance, RunsWhatIsQueuedBeforeItStops) {
  std::vector<ProbeTask> tasks(1000);
  RandomHint hint(5);
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, hint());
  }
  scheduler_.Stop();
  EXPECT_EQ(NotRunOnce(tasks), 0U);
}

TEST_P(Conformance, RunsWhatFollowsFromQueuedTasksBeforeItStops) {
  std::atomic<int> runs{0};
  for (int chain = 0; chain < 20; ++chain) {
    SubmitChain(scheduler_, runs, 50);
  }
  scheduler_.Stop();
  EXPECT_EQ(runs, 20 * 50);
}

TEST_P(Conformance, IsIdleAfterStop) {
  ProbeTask task;
  scheduler_.Submit(&task, SchedulerHint::UpToYou);
  scheduler_.Stop();
  scheduler_.WaitIdle();
  EXPECT_EQ(task.runs, 1);
}

TEST_P(Conformance, StopEndsTheWaitOfAThreadInWaitIdle) {
  constexpr int kRounds = PlainOrSanitized(20, 5);
  for (int round = 0; round < kRounds; ++round) {
    const auto pool = Make();
    std::atomic<bool> stopping{false};
    // Keeps the pool busy until the stop has begun, so that the waiters wait for it.
    executors::Submit(*pool, [&] {
      while (!stopping) {
        std::this_thread::yield();
      }
    });
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 3; ++i) {
      waiters.emplace_back([&] { pool->WaitIdle(); });
    }
    stopping = true;
    pool->Stop();
  }
}

TEST_P(Conformance, RunsWhatIsQueuedBeforeItIsDestroyed) {
  constexpr int kRounds = PlainOrSanitized(30, 8);
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<int> runs{0};
    {
      const auto pool = Make();
      SubmitChain(*pool, runs, 10);
      SubmitChain(*pool, runs, 1);
    }
    ASSERT_EQ(runs, 11) << "round " << round;
  }
}

TEST_P(Conformance, CanBeDestroyedAtOnce) {
  constexpr int kRounds = PlainOrSanitized(30, 8);
  for (int round = 0; round < kRounds; ++round) {
    Make();
  }
}

TEST_P(Conformance, CanBeDestroyedAfterWaitIdle) {
  constexpr int kRounds = PlainOrSanitized(30, 8);
  for (int round = 0; round < kRounds; ++round) {
    const auto pool = Make();
    ProbeTask task;
    pool->Submit(&task, SchedulerHint::UpToYou);
    pool->WaitIdle();
    ASSERT_EQ(task.runs, 1);
  }
}

TEST_P(Conformance, ReportsItsMetricsAfterStop) {
  ProbeTask task;
  scheduler_.Submit(&task, SchedulerHint::UpToYou);
  scheduler_.Stop();
  EXPECT_EQ(Totals(scheduler_)["tasks_run"], 1U);
  EXPECT_EQ(scheduler_.ExternalSubmissions(), 1U);
}

TEST_P(Conformance, WorksNextToOtherPools) {
  constexpr std::size_t kPools = 3;
  std::vector<std::unique_ptr<registry::IScheduler>> pools;
  for (std::size_t i = 0; i < kPools; ++i) {
    pools.push_back(Make());
  }
  std::vector<std::vector<ProbeTask>> tasks(kPools);
  for (auto& of_pool : tasks) {
    of_pool = std::vector<ProbeTask>(500);
  }
  for (std::size_t i = 0; i < 500; ++i) {
    for (std::size_t pool = 0; pool < kPools; ++pool) {
      pools[pool]->Submit(&tasks[pool][i], SchedulerHint::UpToYou);
    }
  }
  for (std::size_t pool = 0; pool < kPools; ++pool) {
    pools[pool]->WaitIdle();
    EXPECT_EQ(NotRunOnce(tasks[pool]), 0U);
    EXPECT_EQ(Totals(*pools[pool])["tasks_run"], 500U);
  }
}

TEST_P(Conformance, TakesTasksFromTheWorkersOfAnotherPool) {
  const auto other = Make();
  std::vector<ProbeTask> tasks(1000);
  std::vector<FunctionTask> senders(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    senders[i].SetBody([&, i] {
      RandomHint hint(i);
      other->Submit(&tasks[i], hint());
    });
    scheduler_.Submit(&senders[i], SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  other->WaitIdle();
  EXPECT_EQ(NotRunOnce(tasks), 0U);
  EXPECT_EQ(Totals(scheduler_)["tasks_run"], tasks.size());
  EXPECT_EQ(Totals(*other)["tasks_run"], tasks.size());
  // To the other pool its sibling's workers are outside.
  EXPECT_EQ(other->ExternalSubmissions(), tasks.size());
  EXPECT_EQ(Totals(*other)["tasks_submitted"], 0U);
}

TEST_P(Conformance, LetsTwoPoolsPassATaskToAndFro) {
  const auto other = Make();
  const int all_hops = Repeat(QuickOrFull(300, 1000));
  int hops = 0;  // by one task at a time
  FunctionTask task;
  task.SetBody([&] {
    if (++hops < all_hops) {
      (hops % 2 == 0 ? scheduler_ : *other).Submit(&task, SchedulerHint::Next);
    }
  });
  scheduler_.Submit(&task, SchedulerHint::UpToYou);
  // Neither pool sees the other's half of the chain: a task ends after it has submitted the next
  // one.
  std::uint64_t run = 0;
  while (run < static_cast<std::uint64_t>(all_hops)) {
    scheduler_.WaitIdle();
    other->WaitIdle();
    run = Totals(scheduler_)["tasks_run"] + Totals(*other)["tasks_run"];
  }
  scheduler_.WaitIdle();
  other->WaitIdle();
  EXPECT_EQ(hops, all_hops);
}

}  // namespace

}  // namespace schedbench::tests::life_cycle_test

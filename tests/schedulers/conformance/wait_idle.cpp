#include "tests/schedulers/conformance/conformance.hpp"

namespace schedbench::tests::wait_idle_test {

namespace {

// A tree of tasks: each node submits its two children, then counts itself.
class TreeTask final : public TaskBase {
 public:
  TreeTask(IExecutor& executor, std::atomic<std::uint64_t>& nodes, std::uint32_t depth,
           std::uint64_t choices)
      : executor_(executor),
        nodes_(nodes),
        depth_(depth),
        choices_(choices) {
  }

  void Run() noexcept override {
    if (depth_ > 0) {
      for (const std::uint64_t child : {1U, 2U}) {
        RandomHint hint(3 * choices_ + child);
        executor_.Submit(new TreeTask(executor_, nodes_, depth_ - 1, 3 * choices_ + child), hint());
      }
    }
    nodes_.fetch_add(1, std::memory_order_relaxed);
    delete this;
  }

  static void Submit(IExecutor& executor, std::atomic<std::uint64_t>& nodes, std::uint32_t depth) {
    executor.Submit(new TreeTask(executor, nodes, depth, depth), SchedulerHint::UpToYou);
  }

  static constexpr std::uint64_t Nodes(std::uint32_t depth) {
    return (std::uint64_t{2} << depth) - 1;
  }

 private:
  IExecutor& executor_;
  std::atomic<std::uint64_t>& nodes_;
  const std::uint32_t depth_;
  const std::uint64_t choices_;
};

TEST_P(Conformance, WaitsForTasksThatSpawnTasks) {
  const int rounds = Repeat(PlainOrSanitized(300, 60));
  std::mt19937_64 random(Seed());
  for (int round = 0; round < rounds; ++round) {
    std::atomic<std::uint64_t> nodes{0};
    const auto depth = static_cast<std::uint32_t>(random() % 8);
    TreeTask::Submit(scheduler_, nodes, depth);
    scheduler_.WaitIdle();
    ASSERT_EQ(nodes, TreeTask::Nodes(depth)) << "round " << round;
  }
}

TEST_P(Conformance, WaitsForASingleTaskAgainAndAgain) {
  const int rounds = Repeat(PlainOrSanitized(2000, 500));
  ProbeTask task;
  for (int round = 1; round <= rounds; ++round) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
    scheduler_.WaitIdle();
    ASSERT_EQ(task.runs, round);
  }
}

TEST_P(Conformance, WaitsForAChainThatIsUnderWay) {
  // At any time there is one task. A WaitIdle that adds up what is submitted and what is done at
  // the wrong moments, or in the wrong order, takes one for the other.
  const int rounds = Repeat(PlainOrSanitized(300, 60));
  // Also in the full tier: 150,000 threads take longer than any hang guard waits on a busy machine.
  const int all_hops = ParallelismOf(Name()) == Parallelism::kAny ? PlainOrSanitized(50, 20)
                                                                  : PlainOrSanitized(500, 100);
  for (int round = 0; round < rounds; ++round) {
    std::atomic<bool> begun{false};
    int hops = 0;  // by one task at a time
    FunctionTask task;
    task.SetBody([&] {
      begun.store(true, std::memory_order_relaxed);
      if (++hops < all_hops) {
        scheduler_.Submit(&task, static_cast<SchedulerHint>((round + hops) % 3));
      }
    });
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
    while (!begun.load(std::memory_order_relaxed)) {
      std::this_thread::yield();
    }
    scheduler_.WaitIdle();
    ASSERT_EQ(hops, all_hops) << "round " << round;
  }
}

TEST_P(Conformance, LetsSeveralThreadsWaitEachForItsOwnTasks) {
  constexpr int kThreads = 4;
  constexpr int kRounds = PlainOrSanitized(100, 20);
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        for (int round = 0; round < kRounds; ++round) {
          std::atomic<std::uint64_t> nodes{0};
          TreeTask::Submit(scheduler_, nodes, 4);
          scheduler_.WaitIdle();
          wrong += nodes == TreeTask::Nodes(4) ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Conformance, LetsSeveralThreadsWaitForTheSameTasks) {
  constexpr int kRounds = PlainOrSanitized(100, 20);
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<std::uint64_t> nodes{0};
    TreeTask::Submit(scheduler_, nodes, 5);
    std::atomic<int> wrong{0};
    {
      std::vector<std::jthread> waiters;
      for (int i = 0; i < 3; ++i) {
        waiters.emplace_back([&] {
          scheduler_.WaitIdle();
          wrong += nodes == TreeTask::Nodes(5) ? 0 : 1;
        });
      }
    }
    ASSERT_EQ(wrong, 0);
  }
}

TEST_P(Conformance, ReturnsFromWaitIdleWhenNothingWasEverSubmitted) {
  scheduler_.WaitIdle();
  scheduler_.WaitIdle();
  EXPECT_EQ(scheduler_.ExternalSubmissions(), 0U);
}

TEST_P(Conformance, TakesTasksAgainAfterWaitIdle) {
  ProbeTask first;
  scheduler_.Submit(&first, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  scheduler_.WaitIdle();
  ProbeTask second;
  scheduler_.Submit(&second, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  EXPECT_EQ(first.runs, 1);
  EXPECT_EQ(second.runs, 1);
}

TEST_P(Conformance, DoesNotReturnFromWaitIdleWhileATaskRuns) {
  std::atomic<bool> started{false};
  std::atomic<bool> may_end{false};
  FunctionTask task([&] {
    started = true;
    started.notify_one();
    may_end.wait(false);
  });
  scheduler_.Submit(&task, SchedulerHint::UpToYou);
  started.wait(false);
  std::atomic<bool> returned{false};
  std::jthread waiter([&] {
    scheduler_.WaitIdle();
    returned = true;
  });
  // Others come and go meanwhile, where there is a worker for them.
  if (Workers() > 1) {
    ProbeTask other;
    std::atomic<bool> other_ran{false};
    FunctionTask last([&] {
      other_ran = true;
      other_ran.notify_one();
    });
    scheduler_.Submit(&other, SchedulerHint::UpToYou);
    scheduler_.Submit(&last, SchedulerHint::UpToYou);
    other_ran.wait(false);
    EXPECT_FALSE(returned);
    may_end = true;
    may_end.notify_one();
    waiter.join();
    EXPECT_EQ(other.runs, 1);
    return;
  }
  EXPECT_FALSE(returned);
  may_end = true;
  may_end.notify_one();
}

}  // namespace

}  // namespace schedbench::tests::wait_idle_test

#include "tests/schedulers/conformance/conformance.hpp"
#include "tests/support/steps.hpp"

#include <cstring>
#include <new>

namespace schedbench::tests::tasks_test {

namespace {

constexpr std::size_t kTasks = PlainOrSanitized<std::size_t>(20000, 4000);

INSTANTIATE_TEST_SUITE_P(Schedulers, Conformance,
                         testing::ValuesIn(EveryCase({1U, 4U}, {1U, 2U, 4U, 16U})), CaseName);

TEST_P(Conformance, RunsEachTaskFromOutsideExactlyOnceWhateverItsHint) {
  std::vector<ProbeTask> tasks(Repeat(kTasks));
  RandomHint hint(1);
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, hint());
  }
  scheduler_.WaitIdle();
  EXPECT_EQ(NotRunOnce(tasks), 0U);
  EXPECT_EQ(scheduler_.ExternalSubmissions(), tasks.size());
}

TEST_P(Conformance, RunsEachTaskFromInsideExactlyOnceWhateverItsHint) {
  std::vector<ProbeTask> tasks(Repeat(kTasks));
  FunctionTask root([&] {
    RandomHint hint(2);
    for (ProbeTask& task : tasks) {
      scheduler_.Submit(&task, hint());
    }
  });
  scheduler_.Submit(&root, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  EXPECT_EQ(NotRunOnce(tasks), 0U);
  EXPECT_EQ(scheduler_.ExternalSubmissions(), 1U);
}

TEST_P(Conformance, RunsAllTasksOfOneHintExactlyOnce) {
  for (const SchedulerHint hint :
       {SchedulerHint::UpToYou, SchedulerHint::Next, SchedulerHint::Yield}) {
    std::vector<ProbeTask> tasks(1000);
    FunctionTask root([&] {
      for (ProbeTask& task : tasks) {
        scheduler_.Submit(&task, hint);
      }
    });
    scheduler_.Submit(&root, hint);
    scheduler_.WaitIdle();
    EXPECT_EQ(NotRunOnce(tasks), 0U) << static_cast<int>(hint);
  }
}

TEST_P(Conformance, RunsTasksOfManyThreadsAndTheirChildrenExactlyOnce) {
  constexpr std::size_t kThreads = 4;
  const std::size_t per_thread = Repeat(kTasks) / 8;
  constexpr std::size_t kChildren = 2;
  std::vector<ProbeTask> children(kThreads * per_thread * kChildren);
  std::vector<FunctionTask> parents(kThreads * per_thread);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    parents[i].SetBody([this, i, &children] {
      RandomHint hint(i);
      for (std::size_t child = 0; child < kChildren; ++child) {
        scheduler_.Submit(&children[i * kChildren + child], hint());
      }
    });
  }
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([this, thread, per_thread, &parents] {
        RandomHint hint(100 + thread);
        for (std::size_t i = 0; i < per_thread; ++i) {
          scheduler_.Submit(&parents[thread * per_thread + i], hint());
        }
      });
    }
  }
  scheduler_.WaitIdle();
  EXPECT_EQ(NotRunOnce(children), 0U);
  EXPECT_EQ(scheduler_.ExternalSubmissions(), parents.size());
}

TEST_P(Conformance, RunsATaskThatSubmitsItselfAgainAsOftenAsItDoes) {
  const int all_runs = Repeat(2000);
  int runs = 0;  // by one task at a time: each run happens before the next
  RandomHint hint(3);
  FunctionTask task;
  task.SetBody([&] {
    if (++runs < all_runs) {
      scheduler_.Submit(&task, hint());
    }
  });
  scheduler_.Submit(&task, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  EXPECT_EQ(runs, all_runs);
}

TEST_P(Conformance, RunsTasksWithoutHintsInTheOrderOfTheirSubmitsOnOneWorkerUnlessOrderIsRandom) {
  const auto pool = MakeScheduler(Name(), 1);
  RunOrder order;
  std::string expected;
  const auto submit = [&](const std::string& name) {
    expected += (expected.empty() ? "" : " ") + name;
    executors::Submit(*pool, [&order, name] { order.Add(name); });
  };
  RunOutsideThenInside(
      *pool, [] {},
      [&] {
        for (int i = 0; i < 100; ++i) {
          submit("inside" + std::to_string(i));
        }
      });
  RunOutsideThenInside(
      *pool,
      [&] {
        for (int i = 0; i < 100; ++i) {
          submit("outside" + std::to_string(i));
        }
      },
      [] {});
  if (KeepsOrder(Name())) {
    EXPECT_EQ(order.Text(), expected);
  } else {
    EXPECT_NE(order.Text(), expected);
    EXPECT_EQ(order.Text().size(), expected.size());
  }
  EXPECT_EQ(Totals(*pool)["from_lifo"], 0U);
}

TEST_P(Conformance, TouchesNoTaskAfterItBeganToRun) {
  // The task destroys itself and overwrites its memory; a thread that reads it afterwards finds a
  // wild pointer.
  class OverwrittenTask final : public TaskBase {
   public:
    void Run() noexcept override {
      void* const place = this;
      this->~OverwrittenTask();
      std::memset(place, 0xff, sizeof(OverwrittenTask));
    }

    ~OverwrittenTask() = default;
  };
  constexpr std::size_t kCount = 2000;
  const auto memory = std::make_unique<std::byte[]>(kCount * sizeof(OverwrittenTask));
  RandomHint hint(4);
  FunctionTask root([&] {
    for (std::size_t i = 0; i < kCount; ++i) {
      scheduler_.Submit(new (&memory[i * sizeof(OverwrittenTask)]) OverwrittenTask, hint());
    }
  });
  scheduler_.Submit(&root, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  for (std::size_t i = 0; i < kCount * sizeof(OverwrittenTask); ++i) {
    ASSERT_EQ(memory[i], std::byte{0xff});
  }
}

TEST_P(Conformance, DestroysWhatATaskCapturedBeforeWaitIdleReturns) {
  const auto captured = std::make_shared<int>(0);
  for (int i = 0; i < 100; ++i) {
    executors::Submit(scheduler_, [captured] {});
  }
  scheduler_.WaitIdle();
  EXPECT_EQ(captured.use_count(), 1);
}

}  // namespace

}  // namespace schedbench::tests::tasks_test

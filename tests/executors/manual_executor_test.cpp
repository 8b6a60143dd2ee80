#include "executors/manual_executor.hpp"

#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace schedbench::executors::manual_executor_test {

namespace {

// The first example of the Executors task.
TEST(ManualExecutor, RunsTheDocumentsThreeTasksInOrder) {
  std::vector<std::string> printed;
  ManualExecutor manual;
  Execute(manual, [&] { printed.emplace_back("Task 1"); });
  Execute(manual, [&] { printed.emplace_back("Task 2"); });
  EXPECT_TRUE(printed.empty());

  manual.RunNext();
  EXPECT_EQ(printed, (std::vector<std::string>{"Task 1"}));

  Execute(manual, [&] { printed.emplace_back("Task 3"); });
  manual.Drain();
  EXPECT_EQ(printed, (std::vector<std::string>{"Task 1", "Task 2", "Task 3"}));
}

// The second example of the Executors task.
TEST(ManualExecutor, RunsTheDocumentsFibersStepByStep) {
  std::vector<std::string> printed;
  ManualExecutor scheduler;
  fibers::Go(scheduler, [&] {
    printed.emplace_back("Step 1");
    fibers::Yield();
    printed.emplace_back("Step 3");
  });
  fibers::Go(scheduler, [&] {
    printed.emplace_back("Step 2");
    fibers::Yield();
    printed.emplace_back("Step 4");
  });
  EXPECT_TRUE(printed.empty());

  scheduler.RunNext();
  EXPECT_EQ(printed, (std::vector<std::string>{"Step 1"}));
  scheduler.RunNext();
  EXPECT_EQ(printed, (std::vector<std::string>{"Step 1", "Step 2"}));
  scheduler.Drain();
  EXPECT_EQ(printed, (std::vector<std::string>{"Step 1", "Step 2", "Step 3", "Step 4"}));
}

TEST(ManualExecutor, RunsNothingByItself) {
  ManualExecutor manual;
  int runs = 0;
  EXPECT_TRUE(manual.IsEmpty());
  EXPECT_FALSE(manual.RunNext());
  EXPECT_EQ(manual.Drain(), 0U);
  for (int i = 0; i < 3; ++i) {
    Execute(manual, [&] { ++runs; });
  }
  EXPECT_EQ(manual.Size(), 3U);
  EXPECT_FALSE(manual.IsEmpty());
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(manual.RunNext());
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(manual.Size(), 2U);
  EXPECT_EQ(manual.Drain(), 2U);
  EXPECT_FALSE(manual.RunNext());
}

TEST(ManualExecutor, RunsAtMostThisManyAndReportsHowMany) {
  ManualExecutor manual;
  int runs = 0;
  for (int i = 0; i < 5; ++i) {
    Execute(manual, [&] { ++runs; });
  }
  EXPECT_EQ(manual.RunAtMost(0), 0U);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(manual.RunAtMost(2), 2U);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(manual.RunAtMost(100), 3U);
  EXPECT_EQ(manual.RunAtMost(1), 0U);
}

TEST(ManualExecutor, RunsAndCountsWhatTasksSubmitInTheMeantime) {
  ManualExecutor manual;
  int runs = 0;
  std::function<void()> again = [&] {
    if (++runs < 10) {
      Execute(manual, again);
    }
  };
  Execute(manual, again);
  EXPECT_EQ(manual.RunAtMost(4), 4U);
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(manual.Size(), 1U);
  EXPECT_EQ(manual.Drain(), 6U);
  EXPECT_EQ(runs, 10);
}

TEST(ManualExecutor, LetsATaskRunTheOthers) {
  ManualExecutor manual;
  std::string order;
  Execute(manual, [&] {
    order += "a";
    manual.RunNext();
    order += "c";
  });
  Execute(manual, [&] { order += "b"; });
  EXPECT_EQ(manual.Drain(), 1U) << "the other was run by the first";
  EXPECT_EQ(order, "abc");
}

TEST(ManualExecutor, IsFirstInFirstOutWhateverTheHints) {
  ManualExecutor manual;
  std::string order;
  for (const auto& [name, hint] :
       {std::pair{'a', SchedulerHint::Yield}, std::pair{'b', SchedulerHint::UpToYou},
        std::pair{'c', SchedulerHint::Next}, std::pair{'d', SchedulerHint::Yield}}) {
    Submit(manual, [&order, name = name] { order += name; }, hint);
  }
  manual.Drain();
  EXPECT_EQ(order, "abcd");
}

// Fibers that start others, yield and share, in a way that follows from `seed`.
std::string Trace(std::uint64_t seed) {
  std::string trace;
  std::mt19937_64 random(seed);
  ManualExecutor manual;
  std::function<void(int)> grow = [&](int depth) {
    fibers::Go(manual, [&, depth] {
      const auto name = static_cast<char>('a' + random() % 26);
      for (std::uint64_t steps = 2 + random() % 2; steps > 0; --steps) {
        trace += name;
        if (depth < 4) {
          grow(depth + 1);
        }
        fibers::Yield();
      }
    });
  };
  grow(0);
  while (manual.RunAtMost(1 + random() % 5) > 0) {
    trace += '|';
  }
  return trace;
}

TEST(ManualExecutor, RepeatsAProgramStepForStep) {
  const std::string trace = Trace(7);
  EXPECT_GT(trace.size(), 50U);
  EXPECT_EQ(Trace(7), trace);
  EXPECT_NE(Trace(8), trace);
}

TEST(ManualExecutor, AllocatesNothing) {
  class Task final : public TaskBase {
   public:
    void Run() noexcept override {
    }
  };
  std::vector<Task> tasks(100);
  const std::uint64_t before = tests::Allocations();
  {
    ManualExecutor manual;
    for (Task& task : tasks) {
      manual.Submit(&task, SchedulerHint::UpToYou);
    }
    EXPECT_EQ(manual.Drain(), 100U);
  }
  EXPECT_EQ(tests::Allocations() - before, 0U);
}

TEST(ManualExecutorDeathTest, SaysSoWhenTasksAreLeftAtItsEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto leave_a_task = [] {
    ManualExecutor manual;
    Execute(manual, [] {});
  };
  EXPECT_DEATH(leave_a_task(), "tasks that have not run");
}

}  // namespace

}  // namespace schedbench::executors::manual_executor_test

#include "executors/submit.hpp"

#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace schedbench::executors::submit_test {

namespace {

using tests::Allocations;

// Nothing but the promise of IExecutor, without an allocation of its own.
class TestExecutor final : public IExecutor {
 public:
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override {
    tasks_.PushBack(task);
    last_hint = hint;
  }

  void Drain() {
    while (TaskBase* task = tasks_.TryPopFront()) {
      task->Run();
    }
  }

  SchedulerHint last_hint = SchedulerHint::Yield;

 private:
  IntrusiveList<TaskBase> tasks_;
};

TEST(Submit, RunsTheCallableOnce) {
  TestExecutor executor;
  int runs = 0;
  Submit(executor, [&] { ++runs; });
  EXPECT_EQ(runs, 0);
  executor.Drain();
  EXPECT_EQ(runs, 1);
}

TEST(Submit, PassesTheHintAndTakesUpToYouForNone) {
  TestExecutor executor;
  for (const SchedulerHint hint :
       {SchedulerHint::Next, SchedulerHint::Yield, SchedulerHint::UpToYou}) {
    Submit(executor, [] {}, hint);
    EXPECT_EQ(executor.last_hint, hint);
  }
  executor.last_hint = SchedulerHint::Yield;
  Submit(executor, [] {});
  EXPECT_EQ(executor.last_hint, SchedulerHint::UpToYou);
  executor.last_hint = SchedulerHint::Yield;
  Execute(executor, [] {});
  EXPECT_EQ(executor.last_hint, SchedulerHint::UpToYou);
  executor.Drain();
}

TEST(Submit, AllocatesExactlyOncePerCallable) {
  TestExecutor executor;
  char large[500] = {};
  const std::uint64_t before = Allocations();
  Submit(executor, [] {});
  EXPECT_EQ(Allocations() - before, 1U);
  Execute(executor, [large] { EXPECT_EQ(large[0], 0); });
  EXPECT_EQ(Allocations() - before, 2U);
  executor.Drain();
  EXPECT_EQ(Allocations() - before, 2U);
}

TEST(Submit, AllocatesNothingForATaskThatIsOne) {
  class Task final : public TaskBase {
   public:
    void Run() noexcept override {
      ran = true;
    }
    bool ran = false;
  };
  TestExecutor executor;
  Task task;
  const std::uint64_t before = Allocations();
  executor.Submit(&task, SchedulerHint::UpToYou);
  executor.Drain();
  EXPECT_EQ(Allocations() - before, 0U);
  EXPECT_TRUE(task.ran);
}

TEST(Submit, DestroysTheCallableAfterItsRun) {
  TestExecutor executor;
  const auto captured = std::make_shared<int>(0);
  Submit(executor, [captured] {});
  EXPECT_EQ(captured.use_count(), 2);
  executor.Drain();
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(Submit, TakesACallableThatCanOnlyBeMoved) {
  TestExecutor executor;
  int seen = 0;
  Execute(executor, [value = std::make_unique<int>(7), &seen] { seen = *value; });
  executor.Drain();
  EXPECT_EQ(seen, 7);
}

}  // namespace

}  // namespace schedbench::executors::submit_test

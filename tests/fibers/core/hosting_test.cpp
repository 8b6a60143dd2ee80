// Fibers run by hand: on the main thread, on other threads, inside fibers.
#include "executors/manual_executor.hpp"
#include "executors/submit.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/fibers/serving_executor.hpp"
#include "tests/support/noting_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace schedbench::fibers::hosting_test {

namespace {

using executors::ManualExecutor;
using executors::SchedulerHint;
using tests::ServingExecutor;

// Compilers take pthread_self(), behind std::this_thread::get_id(), for constant in a function and
// keep its value over a switch: not so where the call cannot be inlined.
SB_NOINLINE std::thread::id ThreadId() {
  asm volatile("" ::: "memory");
  return std::this_thread::get_id();
}

TEST(HostedFiber, RunsStepByStepFromYieldToYield) {
  ManualExecutor executor;
  int step = 0;
  Go(executor, [&] {
    step = 1;
    Yield();
    step = 2;
    Yield();
    step = 3;
  });
  EXPECT_EQ(step, 0) << "Go only submits";
  for (const int expected : {1, 2, 3}) {
    EXPECT_TRUE(executor.RunNext());
    EXPECT_EQ(step, expected);
  }
  EXPECT_FALSE(executor.RunNext());
}

TEST(HostedFiber, YieldsToTheOthersInTheirOrder) {
  ManualExecutor executor;
  std::string order;
  for (const char name : {'a', 'b', 'c'}) {
    Go(executor, [&order, name] {
      for (int i = 0; i < 3; ++i) {
        order += name;
        Yield();
      }
    });
  }
  EXPECT_EQ(executor.Drain(), 12U) << "three fibers that each begin and are resumed three times";
  EXPECT_EQ(order, "abcabcabc");
}

TEST(HostedFiber, SubmitsItselfWithTheHintYieldWhenItYields) {
  ManualExecutor manual;
  tests::NotingExecutor executor(manual);
  Go(executor, [] { Yield(); }, {.name = "", .hint = SchedulerHint::Next});
  manual.Drain();
  EXPECT_EQ(executor.Hints(), (std::vector{SchedulerHint::Next, SchedulerHint::Yield}));
}

TEST(HostedFiber, IsTheCurrentFiberWhileItRunsAndOnlyThen) {
  ManualExecutor executor;
  EXPECT_EQ(FiberThread::CurrentFiber(), nullptr);
  Fiber* self = nullptr;
  Go(executor, [&] {
    self = FiberThread::CurrentFiber();
    ASSERT_NE(self, nullptr);
    EXPECT_EQ(&self->Executor(), &executor);
    Yield();
    EXPECT_EQ(FiberThread::CurrentFiber(), self);
  });
  executor.RunNext();
  EXPECT_NE(self, nullptr);
  EXPECT_EQ(FiberThread::CurrentFiber(), nullptr);
  executor.RunNext();
  EXPECT_EQ(FiberThread::CurrentFiber(), nullptr);
}

TEST(HostedFiber, IsNotTheCurrentFiberOfAPlainTask) {
  ManualExecutor executor;
  bool ran = false;
  executors::Submit(executor, [&] {
    ran = true;
    EXPECT_EQ(FiberThread::CurrentFiber(), nullptr);
  });
  executor.Drain();
  EXPECT_TRUE(ran);
}

TEST(HostedFiber, ContinuesWhenItsHandleIsScheduled) {
  ManualExecutor manual;
  tests::NotingExecutor executor(manual);
  FiberHandle handle;
  bool continued = false;
  Go(executor, [&] {
    Suspend([&handle](FiberHandle fiber) { handle = std::move(fiber); });
    continued = true;
  });
  EXPECT_TRUE(manual.RunNext());
  EXPECT_TRUE(handle.IsValid());
  EXPECT_FALSE(manual.RunNext()) << "a suspended fiber is in no queue";
  handle.Schedule(SchedulerHint::Next);
  EXPECT_FALSE(handle.IsValid());
  EXPECT_FALSE(continued) << "Schedule only submits";
  EXPECT_TRUE(manual.RunNext());
  EXPECT_TRUE(continued);
  EXPECT_EQ(executor.Hints().back(), SchedulerHint::Next);
}

TEST(HostedFiber, MayBeScheduledBeforeSuspendReturnsToTheHost) {
  ManualExecutor executor;
  int steps = 0;
  Go(executor, [&] {
    for (; steps < 3; ++steps) {
      Suspend([](FiberHandle fiber) { fiber.Schedule(); });
    }
  });
  EXPECT_EQ(executor.Drain(), 4U);
  EXPECT_EQ(steps, 3);
}

TEST(HostedFiber, MovesBetweenThreadsAsTheyRunIt) {
  ManualExecutor executor;
  std::vector<std::thread::id> seen;
  Go(executor, [&] {
    for (int i = 0; i < 3; ++i) {
      seen.push_back(ThreadId());
      Yield();
    }
  });
  executor.RunNext();
  std::thread([&] { executor.RunNext(); }).join();
  executor.RunNext();
  executor.RunNext();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], ThreadId());
  EXPECT_NE(seen[1], seen[0]);
  EXPECT_EQ(seen[2], seen[0]);
}

TEST(HostedFiber, MayBeginOnAThreadThatIsGoneWhenItEnds) {
  ManualExecutor executor;
  bool ended = false;
  std::thread([&] {
    Go(executor, [&] {
      Yield();
      ended = true;
    });
    executor.RunNext();
  }).join();
  executor.Drain();
  EXPECT_TRUE(ended);
}

TEST(HostedFiber, StartsFibersOnItsOwnExecutor) {
  ManualExecutor executor;
  std::string order;
  Go(executor, [&] {
    Go([&] { order += "b"; });
    order += "a";
    Yield();
    order += "c";
  });
  executor.Drain();
  EXPECT_EQ(order, "abc");
}

TEST(HostedFiber, RunsInsideAnotherFiber) {
  ManualExecutor outer;
  ManualExecutor inner;
  std::string order;
  Go(outer, [&] {
    Fiber* const self = FiberThread::CurrentFiber();
    Go(inner, [&] {
      EXPECT_NE(FiberThread::CurrentFiber(), self);
      order += "1";
      Yield();
      order += "2";
    });
    order += "a";
    inner.RunNext();
    EXPECT_EQ(FiberThread::CurrentFiber(), self);
    order += "b";
    Yield();
    inner.RunNext();
    EXPECT_EQ(FiberThread::CurrentFiber(), self);
    order += "c";
  });
  outer.Drain();
  EXPECT_EQ(order, "a1b2c");
}

TEST(HostedFiber, IsResumedByAnotherFiberThanTheOneThatBeganIt) {
  ManualExecutor outer;
  ManualExecutor inner;
  std::string order;
  Go(inner, [&] {
    order += "1";
    Yield();
    order += "2";
    Yield();
    order += "3";
  });
  for (int i = 0; i < 2; ++i) {
    Go(outer, [&] {
      order += "a";
      inner.RunNext();
      order += "b";
    });
  }
  outer.Drain();
  inner.Drain();
  EXPECT_EQ(order, "a1ba2b3");
}

TEST(HostedFiber, NestsManyDeep) {
  constexpr int kDepth = 20;
  std::vector<ManualExecutor> executors(kDepth);
  int deepest = 0;
  std::function<void(int)> descend = [&](int depth) {
    deepest = depth;
    if (depth == kDepth) {
      return;
    }
    ManualExecutor& executor = executors[static_cast<std::size_t>(depth)];
    Go(executor, [&descend, depth] {
      descend(depth + 1);
      Yield();
    });
    executor.Drain();
  };
  descend(0);
  EXPECT_EQ(deepest, kDepth);
}

TEST(HostedFiber, RunsInsideAWorkersFiber) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    std::atomic<int> drained{0};
    for (int i = 0; i < 50; ++i) {
      Go(*scheduler, [&] {
        ManualExecutor manual;
        for (int fiber = 0; fiber < 3; ++fiber) {
          Go(manual, [&drained] {
            Yield();
            ++drained;
          });
        }
        Yield();
        manual.Drain();
      });
    }
    scheduler->WaitIdle();
    EXPECT_EQ(drained, 150) << name;
  }
}

TEST(HostedFiber, RunsInsideAPlainTaskOfAWorker) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    std::atomic<int> drained{0};
    for (int i = 0; i < 50; ++i) {
      executors::Submit(*scheduler, [&] {
        ManualExecutor manual;
        Go(manual, [&drained] {
          Yield();
          ++drained;
        });
        manual.Drain();
      });
    }
    scheduler->WaitIdle();
    EXPECT_EQ(drained, 50) << name;
  }
}

// A strand in a few lines: an executor whose tasks run as one task of another executor.
TEST(HostedFiber, MovesBetweenWorkersWithTheTaskThatHostsIt) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4);
    ManualExecutor manual;
    int steps = 0;  // by one thread at a time
    Go(manual, [&] {
      for (; steps < 500; ++steps) {
        Yield();
      }
    });
    std::function<void()> run_next = [&] {
      if (manual.RunNext()) {
        executors::Submit(*scheduler, run_next, SchedulerHint::Yield);
      }
    };
    executors::Submit(*scheduler, run_next);
    scheduler->WaitIdle();
    EXPECT_EQ(steps, 500) << name;
  }
}

TEST(ServedFiber, GoesFromOneToTheOtherWithoutReturningToTheThread) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  std::string order;
  for (const char name : {'a', 'b'}) {
    Go(executor, [&order, name] {
      for (int i = 0; i < 3; ++i) {
        order += name;
        Yield();
      }
    });
  }
  executor.RunUntilEmpty();
  EXPECT_EQ(order, "ababab");
  EXPECT_EQ(executor.tasks_done + executor.runs_again, 8U);
}

TEST(ServedFiber, CountsAYieldWithoutAnotherTaskToRun) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  Go(executor, [] {
    Yield();
    Yield();
  });
  executor.RunUntilEmpty();
  EXPECT_EQ(executor.runs_again, 2U);
  EXPECT_EQ(executor.tasks_done, 1U);
}

TEST(ServedFiber, IsResumedByAnotherThreadThatServes) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  FiberHandle handle;
  std::thread::id ended_on;
  Go(executor, [&] {
    Suspend([&handle](FiberHandle fiber) { handle = std::move(fiber); });
    ended_on = ThreadId();
    // The loop that this fiber took along continues to serve here.
    executors::Submit(executor, [] {});
  });
  std::thread([&] { executor.RunUntilEmpty(); }).join();
  handle.Schedule();
  executor.RunUntilEmpty();
  EXPECT_EQ(ended_on, ThreadId());
  EXPECT_EQ(executor.tasks_done, 3U);
}

TEST(ServedFiber, MayBeginHostedAndEndServed) {
  // A fiber of an executor that is drained by hand and by a worker in turn.
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  // Atomic: what a worker serves is not ordered after what its thread did before.
  std::atomic<int> turns{0};
  Go(executor, [&] {
    ++turns;
    Yield();
    ++turns;
    Yield();
    ++turns;
  });
  executor.TryPop()->Run();
  EXPECT_EQ(turns, 1);
  executor.TryPop()->Run();
  EXPECT_EQ(turns, 2);
  executor.RunUntilEmpty();
  EXPECT_EQ(turns, 3);
}

TEST(ServedFiber, MayBeginServedAndEndHosted) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  FiberHandle handle;
  bool ended = false;
  Go(executor, [&] {
    Suspend([&handle](FiberHandle fiber) { handle = std::move(fiber); });
    ended = true;
  });
  executor.RunUntilEmpty();
  handle.Schedule();
  executor.TryPop()->Run();
  EXPECT_TRUE(ended);
}

TEST(ServedFiberDeathTest, IsNotServedInsideAServingThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto serve_inside = [] {
    StackPool pool{StackConfig{}};
    ServingExecutor executor(pool);
    ServingExecutor inner(pool);
    executors::Submit(executor, [&] { inner.RunUntilEmpty(); });
    executor.RunUntilEmpty();
  };
  EXPECT_DEATH(serve_inside(), "serves already");
}

TEST(FiberDeathTest, SaysSoWhenSomethingNeedsAFiberAndThereIsNone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(Yield(), "only a fiber can yield");
  EXPECT_DEATH(Go([] {}), "running fiber");
  EXPECT_DEATH(Suspend([](FiberHandle) {}), "only a fiber can be suspended");
}

}  // namespace

}  // namespace schedbench::fibers::hosting_test

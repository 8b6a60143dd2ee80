#include "executors/inline_executor.hpp"

#include "executors/submit.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <utility>

namespace schedbench::executors::inline_executor_test {

namespace {

using fibers::Go;
using fibers::Yield;

// Deep enough to overflow any stack here, were each step a call inside the last.
constexpr int kMany = tests::PlainOrSanitized(1'000'000, 50'000);

TEST(InlineExecutor, HasRunATaskWhenSubmitReturns) {
  InlineExecutor executor;
  for (const SchedulerHint hint :
       {SchedulerHint::UpToYou, SchedulerHint::Next, SchedulerHint::Yield}) {
    bool ran = false;
    Submit(executor, [&] { ran = true; }, hint);
    EXPECT_TRUE(ran);
  }
}

TEST(InlineExecutor, RunsATaskOfATaskLikeACall) {
  InlineExecutor executor;
  std::string order;
  Submit(executor, [&] {
    order += "a";
    Submit(executor, [&] { order += "b"; });
    order += "c";
  });
  EXPECT_EQ(order, "abc");
}

TEST(InlineExecutor, LetsATaskThatYieldsWaitForTheOneThatRuns) {
  InlineExecutor executor;
  std::string order;
  const auto note = [&](const char* what) { return [&order, what] { order += what; }; };
  Submit(
      executor,
      [&] {
        order += "a";
        Submit(executor, note("d"), SchedulerHint::Yield);
        Submit(executor, note("b"));
        Submit(executor, note("e"), SchedulerHint::Yield);
        order += "c";
      },
      SchedulerHint::Yield);
  EXPECT_EQ(order, "abcde");
}

TEST(InlineExecutor, RunsATaskThatResubmitsItselfWithYieldManyTimesOnOneFrame) {
  InlineExecutor executor;
  class Again final : public TaskBase {
   public:
    explicit Again(InlineExecutor& executor)
        : executor_(executor) {
    }

    void Run() noexcept override {
      if (++runs < kMany) {
        executor_.Submit(this, SchedulerHint::Yield);
      }
    }

    int runs = 0;

   private:
    InlineExecutor& executor_;
  };
  Again again(executor);
  executor.Submit(&again, SchedulerHint::Yield);
  EXPECT_EQ(again.runs, kMany);
}

TEST(InlineExecutor, RunsAFiberThatYieldsManyTimesOnOneFrame) {
  InlineExecutor executor;
  int yields = 0;
  Go(executor, [&] {
    for (; yields < kMany; ++yields) {
      Yield();
    }
  });
  EXPECT_EQ(yields, kMany) << "Go returns when the fiber has ended";
}

TEST(InlineExecutor, RunsAFiberThatIsMadeReadyAsItSuspendsOnOneFrame) {
  InlineExecutor executor;
  int turns = 0;
  Go(executor, [&] {
    for (; turns < kMany; ++turns) {
      fibers::Suspend([](fibers::FiberHandle fiber) { fiber.Schedule(); });
    }
  });
  EXPECT_EQ(turns, kMany);
}

TEST(InlineExecutor, LetsFibersTakeTurns) {
  InlineExecutor executor;
  std::string order;
  Go(executor, [&] {
    for (const char name : {'a', 'b'}) {
      Go([&order, name] {
        for (int i = 0; i < 3; ++i) {
          order += name;
          Yield();
        }
      });
    }
    order += "-";
  });
  EXPECT_EQ(order, "-ababab");
}

TEST(InlineExecutor, ResumesAFiberInsideWhatMakesItReady) {
  InlineExecutor executor;
  fibers::Event event;
  std::string order;
  Go(executor, [&] {
    order += "a";
    event.Wait();
    order += "c";
  });
  order += "b";
  event.Fire();
  order += "d";
  EXPECT_EQ(order, "abcd");
}

TEST(InlineExecutor, LetsTwoFibersTalkALongTimeOverChannels) {
  InlineExecutor executor;
  fibers::Channel<int> there(0);
  fibers::Channel<int> back(0);
  int answer = 0;
  constexpr int kRounds = 100'000;
  Go(executor, [&] {
    Go([&] {
      for (int i = 0; i < kRounds; ++i) {
        back.Send(there.Receive() + 1);
      }
    });
    int number = 0;
    for (int i = 0; i < kRounds; ++i) {
      there.Send(number);
      number = back.Receive();
    }
    answer = number;
  });
  EXPECT_EQ(answer, kRounds);
}

TEST(InlineExecutor, RunsInsideFibersOfEachScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4);
    InlineExecutor executor;
    std::atomic<int> steps{0};
    for (int i = 0; i < 200; ++i) {
      Go(*scheduler, [&] {
        for (int turn = 0; turn < 5; ++turn) {
          Go(executor, [&] {
            Yield();
            ++steps;
            Yield();
          });
          Yield();  // perhaps to another thread
        }
      });
    }
    scheduler->WaitIdle();
    EXPECT_EQ(steps, 1000) << name;
  }
}

TEST(InlineExecutor, LetsAPlainTaskWithoutYieldSuspendTheFiberThatSubmitsIt) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4);
    InlineExecutor executor;
    std::atomic<int> steps{0};
    for (int i = 0; i < 200; ++i) {
      Go(*scheduler, [&] {
        Submit(executor, [&] {
          Yield();
          ++steps;
        });
      });
    }
    scheduler->WaitIdle();
    EXPECT_EQ(steps, 200) << name;
  }
}

}  // namespace

}  // namespace schedbench::executors::inline_executor_test

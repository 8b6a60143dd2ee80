#include "coroutines/task.hpp"

#include "coroutines/await_future.hpp"
#include "coroutines/resumption.hpp"
#include "coroutines/spawn.hpp"
#include "executors/inline_executor.hpp"
#include "executors/manual_executor.hpp"
#include "executors/strand.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "futures/combine.hpp"
#include "futures/then.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/noting_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::coroutines::task_test {

namespace {

using executors::InlineExecutor;
using executors::ManualExecutor;
using executors::SchedulerHint;

Task<int> Return(int value) {
  co_return value;
}

Task<int> Throw(const char* what) {
  throw std::runtime_error(what);
  co_return 0;
}

Task<void> Append(std::string& to, const char* what) {
  to += what;
  co_return;
}

TEST(Task, DoesNothingUntilItIsSpawnedAndRun) {
  ManualExecutor manual;
  std::string order;
  Task<void> task = Append(order, "a");
  EXPECT_EQ(order, "");
  auto future = Spawn(manual, std::move(task));
  EXPECT_EQ(order, "");
  EXPECT_EQ(manual.Drain(), 1U);
  EXPECT_EQ(order, "a");
  std::move(future).Get();
}

TEST(Task, MayBeDestroyedWithoutARun) {
  const auto captured = std::make_shared<int>(0);
  {
    const Task<void> task = [](std::shared_ptr<int> /*held*/) -> Task<void> {
      co_return;
    }(captured);
    EXPECT_EQ(captured.use_count(), 2);
  }
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(Task, GivesItsValueToTheCoroutineThatAwaitsIt) {
  InlineExecutor executor;
  auto add = []() -> Task<int> {
    const int first = co_await Return(20);
    const int second = co_await Return(22);
    co_return first + second;
  };
  EXPECT_EQ(Spawn(executor, add()).Get(), 42);
}

TEST(Task, ThrowsWhereItIsAwaited) {
  InlineExecutor executor;
  auto recover = []() -> Task<std::string> {
    try {
      co_await Throw("inner");
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "nothing";
  };
  EXPECT_EQ(Spawn(executor, recover()).Get(), "inner");
  auto escaped = Spawn(executor, Throw("outer"));
  EXPECT_THROW(std::move(escaped).Get(), std::runtime_error);
}

TEST(Task, CarriesValuesThatCanOnlyBeMoved) {
  InlineExecutor executor;
  auto make = []() -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
  auto pass = [&]() -> Task<std::unique_ptr<int>> { co_return co_await make(); };
  EXPECT_EQ(*Spawn(executor, pass()).Get(), 5);
}

// g++ makes a call of each transfer unless it optimises.
constexpr int kAwaits = tests::PlainOrSanitized(1'000'000, 1000);

TEST(Task, AwaitsAMillionOthersOnOneStack) {
  InlineExecutor executor;
  auto loop = []() -> Task<int> {
    int sum = 0;
    for (int i = 0; i < kAwaits; ++i) {
      sum += co_await Return(1);
    }
    co_return sum;
  };
  EXPECT_EQ(Spawn(executor, loop()).Get(), kAwaits);
}

Task<int> Descend(int depth) {
  if (depth == 0) {
    co_return 0;
  }
  co_return 1 + co_await Descend(depth - 1);
}

TEST(Task, AwaitsAHundredThousandDeep) {
  constexpr int kDepth = tests::PlainOrSanitized(100'000, 500);
  InlineExecutor executor;
  EXPECT_EQ(Spawn(executor, Descend(kDepth)).Get(), kDepth);
}

TEST(Task, GoesToAnotherExecutorAndStaysThere) {
  ManualExecutor first;
  ManualExecutor second;
  std::string order;
  auto travel = [&]() -> Task<void> {
    order += "a";
    co_await SwitchTo(second);
    order += "b";
    co_await Yield();
    order += "c";
    co_await SwitchTo(first);
    order += "d";
  };
  auto future = Spawn(first, travel());
  EXPECT_EQ(first.Drain(), 1U);
  EXPECT_EQ(order, "a");
  EXPECT_EQ(second.Drain(), 2U) << "the switch, and the yield";
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(first.Drain(), 1U);
  EXPECT_EQ(order, "abcd");
  std::move(future).Get();
}

TEST(Task, ContinuesOnTheExecutorOfTheTaskThatItAwaited) {
  ManualExecutor first;
  ManualExecutor second;
  auto outer = [&]() -> Task<void> {
    auto inner = [&]() -> Task<void> { co_await SwitchTo(second); };
    co_await inner();
    co_await Yield();
  };
  auto future = Spawn(first, outer());
  EXPECT_EQ(first.Drain(), 1U);
  EXPECT_EQ(second.Drain(), 2U) << "the yield of the outer one is there too";
  std::move(future).Get();
}

TEST(Task, PassesItsHintsToTheExecutor) {
  ManualExecutor manual;
  tests::NotingExecutor noting(manual);
  auto task = [&]() -> Task<void> {
    co_await Yield();
    co_await SwitchTo(noting, SchedulerHint::Next);
  };
  auto future = Spawn(noting, task(), SchedulerHint::Next);
  manual.Drain();
  EXPECT_EQ(noting.Hints(),
            (std::vector{SchedulerHint::Next, SchedulerHint::Yield, SchedulerHint::Next}));
  std::move(future).Get();
}

TEST(Task, TakesTurnsWithFibersAndPlainTasks) {
  ManualExecutor manual;
  std::string order;
  auto coroutine = [&]() -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      order += "c";
      co_await Yield();
    }
  };
  auto future = Spawn(manual, coroutine());
  fibers::Go(manual, [&] {
    order += "f";
    auto inner = Spawn(manual, Return(1));
    EXPECT_EQ(std::move(inner).Get(), 1) << "a fiber joins a coroutine";
    order += "F";
  });
  executors::Execute(manual, [&] { order += "t"; });
  manual.Drain();
  EXPECT_EQ(order, "cftccF");
  std::move(future).Get();
}

TEST(Task, YieldsAMillionTimesOnOneFrameOverAnInlineExecutor) {
  constexpr int kYields = tests::PlainOrSanitized(1'000'000, 20'000);
  InlineExecutor executor;
  auto loop = []() -> Task<int> {
    int count = 0;
    for (; count < kYields; ++count) {
      co_await Yield();
    }
    co_return count;
  };
  auto future = Spawn(executor, loop(), SchedulerHint::Yield);
  EXPECT_EQ(std::move(future).Get(), kYields);
}

TEST(Task, AwaitsAFuture) {
  ManualExecutor manual;
  int seen = 0;
  auto wait = [&](futures::Future<int> future) -> Task<void> {
    seen = co_await std::move(future);
    seen += co_await futures::Submit(manual, [] { return 1; });
  };
  auto contract = futures::MakeContract<int>();
  auto done = Spawn(manual, wait(std::move(contract.future)));
  EXPECT_EQ(manual.Drain(), 1U);
  EXPECT_EQ(seen, 0);
  contract.promise.Set(futures::Result<int>(4));
  EXPECT_EQ(manual.Drain(), 3U) << "its resumption, the work, and the resumption after that";
  EXPECT_EQ(seen, 5);
  std::move(done).Get();
}

TEST(Task, ThrowsWhatAFutureHasForAnError) {
  InlineExecutor executor;
  auto wait = [&]() -> Task<std::string> {
    try {
      co_await futures::Submit(executor, [] { throw std::runtime_error("late"); });
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "nothing";
  };
  EXPECT_EQ(Spawn(executor, wait()).Get(), "late");
}

TEST(Task, AllocatesNothingToBeScheduled) {
  ManualExecutor manual;
  ManualExecutor other;
  constexpr int kTurns = 100;
  auto travel = [&]() -> Task<void> {
    for (int i = 0; i < kTurns; ++i) {
      co_await Yield();
      co_await SwitchTo(other);
      co_await SwitchTo(manual);
    }
  };
  const std::uint64_t before = tests::Allocations();
  auto task = travel();
  EXPECT_EQ(tests::Allocations() - before, 1U) << "the frame";
  auto future = Spawn(manual, std::move(task));
  EXPECT_EQ(tests::Allocations() - before, 2U) << "the future";
  while (manual.Drain() + other.Drain() > 0) {
  }
  EXPECT_TRUE(future.IsReady());
  EXPECT_EQ(tests::Allocations() - before, 2U);
  std::move(future).Get();
}

TEST(Task, DestroysWhatItHoldsBeforeTheResultIsSeen) {
  InlineExecutor executor;
  const auto captured = std::make_shared<int>(0);
  auto hold = [](std::shared_ptr<int> /*held*/) -> Task<void> { co_return; };
  auto future = Spawn(executor, hold(captured));
  EXPECT_EQ(captured.use_count(), 1);
  std::move(future).Get();
}

TEST(Task, CountsOnAStrandAsOneAtATimeOnEachScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("coroutines on a strand");
    const auto scheduler = tests::MakeScheduler(name, 4);
    executors::Strand strand(*scheduler);
    int sections = 0;  // plain: the strand's
    auto visit = [&]() -> Task<void> {
      for (int i = 0; i < 20; ++i) {
        co_await SwitchTo(strand);
        ++sections;
        co_await SwitchTo(*scheduler);
        co_await Yield();
      }
    };
    std::vector<futures::Future<void>> done;
    for (int i = 0; i < 50; ++i) {
      done.push_back(Spawn(*scheduler, visit()));
    }
    futures::All(std::move(done)).Get();
    scheduler->WaitIdle();
    EXPECT_EQ(sections, 1000) << name;
  }
}

TEST(Task, AwaitsFuturesOfEachScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("coroutines and futures");
    const auto scheduler = tests::MakeScheduler(name, 4);
    auto sum = [&](int count) -> Task<int> {
      int total = 0;
      for (int i = 0; i < count; ++i) {
        total += co_await futures::Submit(*scheduler, [i] { return i; });
        total += co_await Spawn(*scheduler, Return(1));
      }
      co_return total;
    };
    std::vector<futures::Future<int>> sums;
    for (int i = 0; i < 100; ++i) {
      sums.push_back(Spawn(*scheduler, sum(10)));
    }
    for (const int total : futures::All(std::move(sums)).Get()) {
      ASSERT_EQ(total, 55) << name;
    }
    scheduler->WaitIdle();
  }
}

}  // namespace

}  // namespace schedbench::coroutines::task_test

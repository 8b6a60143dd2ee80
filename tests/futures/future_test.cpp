#include "futures/future.hpp"

#include "executors/inline_executor.hpp"
#include "executors/manual_executor.hpp"
#include "executors/strand.hpp"
#include "fibers/sched/go.hpp"
#include "futures/then.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace schedbench::futures::future_test {

namespace {

using executors::InlineExecutor;
using executors::ManualExecutor;

// The message of what `work` throws.
template <typename F>
std::string Thrown(F work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Future, GivesWhatTheWorkReturns) {
  ManualExecutor manual;
  Future<int> future = futures::Submit(manual, [] { return 7; });
  EXPECT_TRUE(future.IsValid());
  EXPECT_FALSE(future.IsReady());
  manual.Drain();
  EXPECT_TRUE(future.IsReady());
  EXPECT_EQ(std::move(future).Get(), 7);
  // NOLINTNEXTLINE(bugprone-use-after-move): a future that was consumed says so.
  EXPECT_FALSE(future.IsValid());
}

TEST(Future, ThrowsWhatTheWorkThrows) {
  InlineExecutor executor;
  Future<int> future = futures::Submit(executor, []() -> int { throw std::runtime_error("no"); });
  EXPECT_EQ(Thrown([&] { std::move(future).Get(); }), "no");
}

TEST(Future, OfNothingReportsThatTheWorkIsDone) {
  InlineExecutor executor;
  bool ran = false;
  Future<void> future = futures::Submit(executor, [&] { ran = true; });
  std::move(future).Get();
  EXPECT_TRUE(ran);
}

TEST(Future, CarriesValuesThatCanOnlyBeMoved) {
  InlineExecutor executor;
  auto future = futures::Then(futures::Submit(executor, [] { return std::make_unique<int>(3); }),
                              executor, [](std::unique_ptr<int> value) { return value; });
  EXPECT_EQ(*std::move(future).Get(), 3);
}

TEST(Future, TakesAResultThatTheWorkReturnsForItsOwn) {
  InlineExecutor executor;
  Future<int> future = futures::Submit(executor, []() -> Result<int> {
    return Result<int>(std::make_exception_ptr(std::runtime_error("returned, not thrown")));
  });
  const Result<int> result = std::move(future).GetResult();
  EXPECT_FALSE(result.HasValue());
  EXPECT_EQ(Thrown([&] { std::rethrow_exception(result.Error()); }), "returned, not thrown");
}

TEST(Future, TakesTheResultOfAFutureThatTheWorkReturns) {
  ManualExecutor manual;
  Future<int> future =
      futures::Submit(manual, [&] { return futures::Submit(manual, [] { return 5; }); });
  EXPECT_EQ(manual.Drain(), 2U);
  EXPECT_EQ(std::move(future).Get(), 5);
}

TEST(Future, IsGivenByAPromise) {
  auto [future, promise] = MakeContract<int>();
  promise.Set(Result<int>(4));
  EXPECT_EQ(std::move(future).Get(), 4);
}

TEST(Future, BlocksAThreadUntilTheResultIsThere) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("a thread in Get");
    const auto scheduler = tests::MakeScheduler(name, 2);
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(futures::Submit(*scheduler, [i] { return i; }).Get(), i);
    }
  }
}

TEST(Future, SuspendsAFiberUntilTheResultIsThere) {
  ManualExecutor manual;
  auto contract = MakeContract<int>();
  int seen = 0;
  fibers::Go(manual, [&] { seen = std::move(contract.future).Get(); });
  EXPECT_EQ(manual.Drain(), 1U);
  EXPECT_EQ(seen, 0);
  contract.promise.Set(Result<int>(9));
  EXPECT_EQ(manual.Drain(), 1U);
  EXPECT_EQ(seen, 9);
}

TEST(Future, RunsAChainOnItsExecutors) {
  ManualExecutor first;
  ManualExecutor second;
  auto future = futures::Then(futures::Submit(first, [] { return 20; }), second,
                              [](int value) { return value + 1; });
  auto text =
      futures::Then(std::move(future), first, [](int value) { return std::to_string(2 * value); });
  EXPECT_EQ(second.Size(), 0U);
  EXPECT_EQ(first.Drain(), 1U);
  EXPECT_EQ(second.Drain(), 1U);
  EXPECT_EQ(first.Drain(), 1U);
  EXPECT_EQ(std::move(text).Get(), "42");
}

TEST(Future, PassesAnErrorByWhatTakesTheValueAndToWhatTakesTheResult) {
  InlineExecutor executor;
  bool called = false;
  auto failed =
      futures::Then(futures::Submit(executor, []() -> int { throw std::runtime_error("early"); }),
                    executor, [&](int value) {
                      called = true;
                      return value;
                    });
  auto recovered = futures::Then(std::move(failed), executor, [](const Result<int>& result) {
    return result.HasValue() ? 0 : 1;
  });
  EXPECT_EQ(std::move(recovered).Get(), 1);
  EXPECT_FALSE(called);
}

TEST(Future, FollowsAFutureThatAContinuationReturns) {
  ManualExecutor manual;
  auto future = futures::Then(futures::Submit(manual, [] {}), manual,
                              [&manual] { return futures::Submit(manual, [] { return 6; }); });
  EXPECT_EQ(manual.Drain(), 3U);
  EXPECT_EQ(std::move(future).Get(), 6);
}

TEST(Future, AllocatesOnceForEachLinkOfAChain) {
  ManualExecutor manual;
  const std::uint64_t before = tests::Allocations();
  auto future = futures::Submit(manual, [] { return 1; });
  EXPECT_EQ(tests::Allocations() - before, 1U);
  auto next = futures::Then(std::move(future), manual, [](int value) { return value + 1; });
  EXPECT_EQ(tests::Allocations() - before, 2U);
  manual.Drain();
  EXPECT_EQ(std::move(next).Get(), 2);
  EXPECT_EQ(tests::Allocations() - before, 2U);
}

TEST(Future, DestroysWhatTheWorkHasCapturedBeforeTheResultIsSeen) {
  InlineExecutor executor;
  auto captured = std::make_shared<int>(0);
  auto first = futures::Submit(executor, [captured] {});
  EXPECT_EQ(captured.use_count(), 1);
  auto second = futures::Then(std::move(first), executor, [captured] {});
  EXPECT_EQ(captured.use_count(), 1);
  std::move(second).Get();
}

TEST(Future, LetsItsWorkContinueWhenItIsDropped) {
  ManualExecutor manual;
  const auto captured = std::make_shared<int>(0);
  {
    auto dropped = futures::Submit(manual, [captured] { return ++*captured; });
  }
  futures::Submit(manual, [captured] { ++*captured; }).Detach();
  manual.Drain();
  EXPECT_EQ(*captured, 2);
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(Future, MayBeReplacedByAnother) {
  InlineExecutor executor;
  const auto give = [&](int value) { return futures::Submit(executor, [value] { return value; }); };
  Future<int> future = give(1);
  future = give(2);
  EXPECT_EQ(std::move(future).Get(), 2);
}

TEST(FutureDeathTest, SaysSoWhenAnErrorIsDropped) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto drop = [] {
    InlineExecutor executor;
    futures::Submit(executor, [] { throw std::runtime_error("an unheard error"); }).Detach();
  };
  EXPECT_DEATH(drop(), "dropped.*an unheard error");
}

TEST(FutureDeathTest, SaysSoWhenAPromiseIsBrokenOrAFutureConsumedTwice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(static_cast<void>(MakeContract<int>()), "a promise is broken");
  const auto twice = [] {
    auto [future, promise] = MakeContract<void>();
    promise.SetDone();
    std::move(future).Get();
    // NOLINTNEXTLINE(bugprone-use-after-move): a mistake by purpose.
    std::move(future).Get();
  };
  EXPECT_DEATH(twice(), "consumed once");
}

}  // namespace

}  // namespace schedbench::futures::future_test

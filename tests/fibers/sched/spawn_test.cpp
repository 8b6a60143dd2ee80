#include "fibers/sched/spawn.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace schedbench::fibers::spawn_test {

namespace {

using executors::ManualExecutor;

TEST(Spawn, ReturnsWhatTheFiberReturned) {
  const tests::HangGuard guard("join");
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    EXPECT_EQ(Spawn(*scheduler,
                    [] {
                      auto half = Spawn([] { return 20; });
                      Yield();
                      return 2 * half.Join() + 2;
                    })
                  .Join(),
              42)
        << name;
  }
}

TEST(Spawn, CarriesValuesThatCanOnlyBeMoved) {
  ManualExecutor executor;
  auto handle = Spawn(executor, [] { return std::make_unique<int>(7); });
  EXPECT_FALSE(handle.IsDone());
  executor.Drain();
  EXPECT_TRUE(handle.IsDone());
  EXPECT_EQ(*handle.Join(), 7);
  EXPECT_FALSE(handle.IsJoinable());
}

TEST(Join, ReturnsWhenAllThatTheFiberHadIsDestroyed) {
  ManualExecutor executor;
  const auto captured = std::make_shared<int>(1);
  Go(executor, [&] {
    Spawn([captured] { Yield(); }).Join();
    EXPECT_EQ(captured.use_count(), 1);
  });
  executor.Drain();
}

TEST(JoinHandle, ThatGoesJoins) {
  ManualExecutor executor;
  std::string order;
  Go(executor, [&] {
    {
      const auto handle = Spawn([&] {
        Yield();
        order += 'a';
      });
    }
    order += 'b';
  });
  executor.Drain();
  EXPECT_EQ(order, "ab");
}

TEST(JoinHandle, ThatIsAssignedJoinsWhatItHad) {
  ManualExecutor executor;
  std::string order;
  Go(executor, [&] {
    auto handle = Spawn([&] { order += 'a'; });
    handle = Spawn([&] {
      Yield();
      order += 'b';
    });
    EXPECT_EQ(order, "a");
    auto other = std::move(handle);
    // NOLINTNEXTLINE(bugprone-use-after-move): a handle that was moved from says that it has
    // nothing to join.
    EXPECT_FALSE(handle.IsJoinable());
    other.Join();
  });
  executor.Drain();
  EXPECT_EQ(order, "ab");
}

TEST(JoinHandle, ThatIsDetachedDoesNotWait) {
  ManualExecutor executor;
  auto value = std::make_shared<int>(1);
  auto handle = Spawn(executor, [value] { return value; });
  handle.Detach();
  EXPECT_FALSE(handle.IsJoinable());
  executor.Drain();
  EXPECT_EQ(value.use_count(), 1) << "what is not joined is destroyed";
}

TEST(JoinHandle, WaitsWithALimit) {
  ManualExecutor executor;
  auto handle = Spawn(executor, [] {});
  EXPECT_FALSE(handle.WaitFor(std::chrono::milliseconds(1)));
  executor.Drain();
  EXPECT_TRUE(handle.WaitFor(std::chrono::hours(1)));
  handle.Join();
}

TEST(JoinHandleDeathTest, EndsTheProcessOfAFiberThatJoinsItself) {
  EXPECT_DEATH(
      {
        ManualExecutor executor;
        JoinHandle<void> handle;
        handle = Spawn(executor, [&] { handle.Join(); });
        executor.Drain();
      },
      "joins itself");
}

TEST(CurrentFiberName, IsThatOfTheRunningFiber) {
  ManualExecutor executor;
  EXPECT_EQ(CurrentFiberName(), "");
  std::string names;
  Go(executor,
     [&] {
       names += CurrentFiberName();
       Yield();
       names += CurrentFiberName();
     },
     {.name = "one "});
  Go(executor, [&] { names += CurrentFiberName(); }, {.name = "two "});
  Go(executor, [&] { names += CurrentFiberName(); });
  executor.Drain();
  EXPECT_EQ(names, "one two one ");
}

}  // namespace

}  // namespace schedbench::fibers::spawn_test

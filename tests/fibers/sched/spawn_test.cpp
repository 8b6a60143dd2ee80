#include "fibers/sched/spawn.hpp"

#include "base/attributes.hpp"
#include "executors/manual_executor.hpp"
#include "fibers/diagnostics/wait_report.hpp"
#include "fibers/sched/fiber_local.hpp"
#include "fibers/sched/preempt.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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

// Runs `body` in a fiber on the only worker of the default scheduler.
void RunOnOneWorker(std::function<void()> body) {
  const tests::HangGuard guard("inline join");
  const auto scheduler = tests::MakeScheduler("fast", 1);
  Spawn(*scheduler, std::move(body)).Join();
}

// Returns whether the caller runs on the stack of `frame`, a frame of a fiber, above it.
bool RunsAbove(const void* frame) {
  const auto distance = reinterpret_cast<std::intptr_t>(frame) -
                        reinterpret_cast<std::intptr_t>(__builtin_frame_address(0));
  return distance > 0 && distance < 16384;
}

// With a strict ThreadSanitizer each fiber has a context of its own, and so a stack.
bool JoinsRunFibersInline() {
#if defined(SB_TSAN)
  return !executors::TasksAreUnordered();
#else
  return true;
#endif
}

TEST(InlineJoin, RunsAFiberThatHasNotStartedOnTheStackOfTheJoiner) {
  RunOnOneWorker([] {
    const void* const here = __builtin_frame_address(0);
    Yield();  // the poll of the first pick is over
    for (const auto hint : {executors::SchedulerHint::UpToYou, executors::SchedulerHint::Next}) {
      auto inner = Spawn([&] { return RunsAbove(here); }, {.name = "", .hint = hint});
      EXPECT_EQ(inner.Join(), JoinsRunFibersInline());
    }
    auto started = Spawn([&] {
      Yield();
      return RunsAbove(here);
    });
    Yield();
    EXPECT_FALSE(started.Join()) << "it has a stack of its own";
  });
}

TEST(InlineJoin, FindsEachOfSeveralFibersWhichAreJoinedInTheOrderOfTheirStart) {
  RunOnOneWorker([] {
    const void* const here = __builtin_frame_address(0);
    Yield();
    std::vector<JoinHandle<bool>> fibers;
    for (int i = 0; i < 10; ++i) {
      fibers.push_back(Spawn([&] { return RunsAbove(here); }));
    }
    for (JoinHandle<bool>& fiber : fibers) {
      EXPECT_EQ(fiber.Join(), JoinsRunFibersInline());
    }
  });
}

TEST(InlineJoin, GivesTheFiberItsOwnIdentityLocalsAndExceptions) {
  FiberLocal<int> local;
  RunOnOneWorker([&] {
    const std::uint64_t id = CurrentFiberId();
    *local = 1;
    Yield();
    const NoPreempt not_now;
    try {
      throw std::runtime_error("outer");
    } catch (const std::runtime_error&) {
      Spawn(
          [&] {
            EXPECT_NE(CurrentFiberId(), id);
            EXPECT_EQ(CurrentFiberName(), "inner");
            EXPECT_EQ(local.TryGet(), nullptr);
            EXPECT_EQ(std::current_exception(), nullptr);
            *local = 2;
            Yield();
            EXPECT_EQ(*local, 2);
          },
          {.name = "inner"})
          .Join();
      EXPECT_NE(std::current_exception(), nullptr);
    }
    EXPECT_EQ(CurrentFiberId(), id);
    EXPECT_EQ(CurrentFiberName(), "");
    EXPECT_EQ(*local, 1);
  });
}

TEST(InlineJoin, DestroysTheCapturesOfTheFiberInTheJoinerWithItsLocals) {
  FiberLocal<int> local;
  RunOnOneWorker([&] {
    *local = 1;
    Yield();
    int seen = 0;
    const auto read_local = [&](const void* /*unused*/) {
      if (JoinsRunFibersInline()) {
        const int* const value = local.TryGet();
        seen = value == nullptr ? 0 : *value;
      }
    };
    std::shared_ptr<void> captured(nullptr, read_local);
    Spawn([captured = std::move(captured)] {}).Join();
    EXPECT_EQ(seen, JoinsRunFibersInline() ? 1 : 0);
    EXPECT_EQ(*local, 1);
  });
}

TEST(InlineJoin, ContinuesTheJoinerOnTheThreadThatEndsTheFiber) {
  const tests::HangGuard guard("inline join");
  const auto scheduler = tests::MakeScheduler("fast", 4);
  std::vector<JoinHandle<int>> outer;
  for (int i = 0; i < 200; ++i) {
    outer.push_back(Spawn(*scheduler, [i] {
      auto inner = Spawn([i] {
        for (int k = 0; k < 20; ++k) {
          Yield();
        }
        return i;
      });
      return inner.Join() + 1;
    }));
  }
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(outer[i].Join(), i + 1);
  }
}

std::uint64_t Depth(std::uint64_t depth) {
  return depth == 0 ? 0 : 1 + Spawn([depth] { return Depth(depth - 1); }).Join();
}

TEST(InlineJoin, TakesAnotherStackWhenAQuarterIsInUse) {
  RunOnOneWorker([] { EXPECT_EQ(Depth(5000), 5000U); });
}

// Returns what a report says of the fiber with this name, or "".
std::string StateOf(const WaitReport& report, const std::string& name) {
  const std::size_t begin = report.lines.find("'" + name + "', started at");
  return begin == std::string::npos
             ? ""
             : report.lines.substr(begin, report.lines.find('\n', begin) - begin);
}

TEST(InlineJoin, LeavesBothFibersInAReportOnAHang) {
  const tests::HangGuard guard("inline join");
  const auto scheduler = tests::MakeScheduler("fast", 1);
  const WaitReport before = WaitReport::Now(nullptr);  // other tests leave fibers that never end
  Event end;
  auto outer = Spawn(*scheduler,
                     [&end] {
                       Yield();
                       Spawn([&end] { end.Wait(); }, {.name = "inner"}).Join();
                     },
                     {.name = "outer"});
  WaitReport report;
  do {
    report = WaitReport::Now(nullptr);
  } while (StateOf(report, "inner").find("waits for Event") == std::string::npos);
  EXPECT_EQ(report.unfinished, before.unfinished + 2);
  EXPECT_EQ(report.never_begun, before.never_begun);
  EXPECT_NE(StateOf(report, "outer").find("waits for the end of fiber"), std::string::npos)
      << report.lines;
  end.Fire();
  outer.Join();
}

TEST(InlineJoin, InALoopLetsOtherFibersRun) {
  RunOnOneWorker([] {
    std::atomic<bool> ran{false};
    auto other = Spawn([&] { ran = true; });
    for (int i = 0; i < 1000 && !ran; ++i) {
      Spawn([] {}).Join();
    }
    EXPECT_TRUE(ran);
    other.Join();
  });
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

#include "fibers/net/run_call.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <vector>

namespace schedbench::fibers::run_call_test {

namespace {

// An operation whose calls have the given results.
struct Operation {
  std::int64_t Run(WaitTurn& turn, int wait_result, bool leaves_nothing = false) {
    return RunCall(
        turn, [&] { return CallResult(results.at(calls++), leaves_nothing); },
        [this, wait_result] {
          ++waits;
          return wait_result;
        });
  }

  std::vector<std::int64_t> results;
  std::size_t calls = 0;
  int waits = 0;
};

void MakeEmpty(WaitTurn& turn) {
  Operation read{.results = {1}};
  EXPECT_EQ(read.Run(turn, 0, true), 1);
  EXPECT_TRUE(WaitTurn::IsEmpty(turn.Look()));
}

TEST(RunCall, TriesFirstAndWaitsOnlyAfterItHasFoundNothing) {
  WaitTurn turn;
  Operation at_once{.results = {5}};
  EXPECT_EQ(at_once.Run(turn, 0), 5);
  EXPECT_EQ(at_once.waits, 0);
  Operation later{.results = {-EAGAIN, -EAGAIN, 5}};
  EXPECT_EQ(later.Run(turn, 0), 5);
  EXPECT_EQ(later.waits, 2);
}

TEST(RunCall, WaitsFirstIfTheLastCallHasLeftNothing) {
  WaitTurn turn;
  MakeEmpty(turn);
  Operation read{.results = {5}};
  EXPECT_EQ(read.Run(turn, 0), 5);
  EXPECT_EQ(read.waits, 1);
  EXPECT_FALSE(WaitTurn::IsEmpty(turn.Look())) << "it may have left something";
}

TEST(RunCall, TriesAtTheDeadlineOfAWaitThatNoTryPreceded) {
  WaitTurn turn;
  MakeEmpty(turn);
  Operation has_come{.results = {5}};
  EXPECT_EQ(has_come.Run(turn, -ETIMEDOUT), 5) << "its event has not been reported yet";
  MakeEmpty(turn);
  Operation nothing{.results = {-EAGAIN}};
  EXPECT_EQ(nothing.Run(turn, -ETIMEDOUT), -ETIMEDOUT);
  Operation tried{.results = {-EAGAIN}};
  EXPECT_EQ(tried.Run(turn, -ETIMEDOUT), -ETIMEDOUT);
  EXPECT_EQ(tried.calls, 1U) << "one try is enough";
}

TEST(RunCall, IsRefusedWhileAnotherOperationWaitsButTriesOnce) {
  WaitTurn turn;
  std::uint32_t seen = turn.Look();
  ASSERT_EQ(turn.TryBegin(seen), WaitTurn::Begin::kDone);
  Operation nothing{.results = {-EAGAIN}};
  EXPECT_EQ(nothing.Run(turn, 0), -EBUSY);
  Operation something{.results = {3}};
  EXPECT_EQ(something.Run(turn, 0, true), 3);
  turn.End(false);
  EXPECT_FALSE(WaitTurn::IsEmpty(turn.Look())) << "only the operation with the turn decides";
}

TEST(WaitTurn, ForgetsThatNothingIsLeftWhenATurnHasStartedSince) {
  WaitTurn turn;
  const std::uint32_t old = turn.Look();
  std::uint32_t seen = old;
  ASSERT_EQ(turn.TryBegin(seen), WaitTurn::Begin::kDone);
  turn.End(false);
  turn.TrySetEmpty(old);
  EXPECT_FALSE(WaitTurn::IsEmpty(turn.Look()));
  turn.TrySetEmpty(turn.Look());
  EXPECT_TRUE(WaitTurn::IsEmpty(turn.Look()));
  turn.Open();
  EXPECT_FALSE(WaitTurn::IsEmpty(turn.Look())) << "another descriptor";
}

}  // namespace

}  // namespace schedbench::fibers::run_call_test

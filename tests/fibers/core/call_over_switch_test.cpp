// What a fiber finds where its suspension returns, and what a report finds there meanwhile.
#include "fibers/core/call_over_switch.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace schedbench::fibers::call_over_switch_test {

namespace {

using executors::ManualExecutor;

// Places where a fiber waits. Each leaves its handle in `place`.
struct Places {
  FiberHandle first;
  FiberHandle second;

  static void Wait(FiberHandle* place) {
    Suspend([place](FiberHandle fiber) { *place = std::move(fiber); });
  }
};

// More values than there are registers, of both kinds, are needed after each of two different
// suspensions.
SB_NOINLINE double WaitTwiceWithManyValues(Places& places, double seed) {
  std::int64_t whole[12];
  double real[12];
  for (int i = 0; i < 12; ++i) {
    whole[i] = static_cast<std::int64_t>(seed) * (i + 3);
    real[i] = seed / (i + 1);
  }
  Places::Wait(&places.first);
  for (int i = 0; i < 12; ++i) {
    whole[i] += i;
    real[i] *= 2;
  }
  Places::Wait(&places.second);
  return std::accumulate(std::begin(whole), std::end(whole), 0.0) +
         std::accumulate(std::begin(real), std::end(real), 0.0);
}

double WithoutWaiting(double seed) {
  double sum = 0;
  double reals = 0;
  for (int i = 0; i < 12; ++i) {
    sum += static_cast<double>(static_cast<std::int64_t>(seed) * (i + 3) + i);
    reals += seed / (i + 1) * 2;
  }
  return sum + reals;
}

TEST(CallOverSwitch, ReturnsToEachPlaceWithTheValuesOfItsFiber) {
  ManualExecutor executor;
  std::vector<Places> places(20);
  std::vector<double> sums(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    Go(executor,
       [&, i] { sums[i] = WaitTwiceWithManyValues(places[i], static_cast<double>(i) + 1); });
  }
  executor.Drain();
  // Half of them wait at the first place while the others wait at the second.
  for (std::size_t i = 0; i < places.size(); i += 2) {
    places[i].first.Schedule();
  }
  executor.Drain();
  for (std::size_t i = 0; i < places.size(); ++i) {
    (i % 2 == 0 ? places[i].second : places[i].first).Schedule();
  }
  executor.Drain();
  for (std::size_t i = 1; i < places.size(); i += 2) {
    places[i].second.Schedule();
  }
  executor.Drain();
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_DOUBLE_EQ(sums[i], WithoutWaiting(static_cast<double>(i) + 1)) << i;
  }
}

#if defined(SB_INLINE_SWITCH)
TEST(CallOverSwitch, ShowsTheFunctionThatWaitsAndNotTheStub) {
  ManualExecutor executor;
  FiberHandle waiting;
  Suspension* suspension = nullptr;
  Go(executor, [&] {
    Suspend([&waiting](FiberHandle fiber) { waiting = std::move(fiber); },
            {.kind = WaitKind::kResume, .object = nullptr}, nullptr, &suspension);
  });
  executor.Drain();
  ASSERT_NE(suspension, nullptr);
  const auto* const frame = static_cast<const std::uintptr_t*>(suspension->frame);
  const auto stub = reinterpret_cast<std::uintptr_t>(&schedbench_call_over_switch);
  constexpr std::uintptr_t kMostBytes = 64;
  EXPECT_FALSE(frame[1] >= stub && frame[1] < stub + kMostBytes);
  // The frame that it returns to lies above, on the same stack.
  EXPECT_GT(frame[0], reinterpret_cast<std::uintptr_t>(frame));
  EXPECT_LT(frame[0] - reinterpret_cast<std::uintptr_t>(frame), StackConfig::kDefaultBytes);
  waiting.Schedule();
  executor.Drain();
}
#endif

}  // namespace

}  // namespace schedbench::fibers::call_over_switch_test

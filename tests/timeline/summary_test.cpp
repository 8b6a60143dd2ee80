#include "timeline/summary.hpp"

#include "tests/timeline/script.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace schedbench::timeline::summary_test {

namespace {

using trace::EventKind;
using trace::StopReason;

Summary Summarized(const Script& script, std::uint64_t last_ns = kWholeRecording) {
  return Summarize(script.Built(last_ns), script.Recorded());
}

TEST(TimelineSummary, SharesTheTimeOfEachWorkerOut) {
  const Summary summary = Summarized(Example());
  EXPECT_EQ(summary.length_ns, Script::kEnd);
  ASSERT_EQ(summary.workers.size(), 2u);
  EXPECT_EQ(summary.workers[0].run_ns, 46'000u);
  EXPECT_EQ(summary.workers[0].search_ns, 4000u);
  EXPECT_EQ(summary.workers[0].park_ns, 16'900u);
  EXPECT_EQ(summary.workers[1].park_ns, 53'500u);
  EXPECT_EQ(summary.idle_ns, 75'400u);
}

TEST(TimelineSummary, CallsIdleTimeWastedWhereAFiberIsReady) {
  // Something is ready from 2000 on, while worker 1 is parked until 5000 and searches in
  // 5100..6100. "main" is ready in 50000..53000, while worker 0 is parked until 52000, and worker 1
  // from 51500 on.
  EXPECT_EQ(Summarized(Example()).wasted_ns, 3000u + 1000u + 3000u);
}

TEST(TimelineSummary, WastesNoMoreWorkersThanFibersAreReady) {
  Script script(3);
  script.Switch(0, 0, 1).Add(0, 1000, EventKind::kSpawn, 2).Switch(0, 5000, 2, StopReason::kEnded);
  script.Add(1, 0, EventKind::kPark);
  script.Add(2, 0, EventKind::kSearchBegin);
  EXPECT_EQ(Summarized(script).wasted_ns, 4000u);
  script.Add(0, 6000, EventKind::kSpawn, 3).Add(0, 7000, EventKind::kSpawn, 4).Switch(0, 8000, 3);
  // One is ready for 1000, two for 1000, then one until the end.
  EXPECT_EQ(Summarized(script).wasted_ns, 4000u + 1000u + 2000u + 92'000u);
}

TEST(TimelineSummary, WastesNothingWhereAllWorkOrNothingIsReady) {
  Script busy(1);
  busy.Switch(0, 0, 1).Add(0, 10, EventKind::kSpawn, 2);
  EXPECT_EQ(Summarized(busy).wasted_ns, 0u);
  Script idle(1);
  idle.Add(0, 0, EventKind::kPark);
  EXPECT_EQ(Summarized(idle).wasted_ns, 0u);
}

TEST(TimelineSummary, FollowsAWaitToThoseThatCausedIt) {
  Script script(2);
  script.Name(1, "first").Name(2, "second").Name(3, "third");
  script.Switch(0, 100, 1)
      .Switch(0, 1000, 2, StopReason::kSuspended)
      .Switch(0, 2000, 0, StopReason::kSuspended)
      .Switch(0, 21'000, 2)
      .Add(0, 29'000, EventKind::kWake, 1)
      .Switch(0, 30'000, 1, StopReason::kEnded);
  script.Add(1, 9000, EventKind::kWake, 3)
      .Switch(1, 10'000, 3)
      .Add(1, 20'000, EventKind::kWake, 2)
      .Switch(1, 22'000, 0, StopReason::kEnded);
  const Summary summary = Summarized(script);
  EXPECT_EQ(summary.waits, 2u);
  ASSERT_EQ(summary.longest_waits.size(), 2u);
  const LongWait& wait = summary.longest_waits[0];
  EXPECT_EQ(wait.fiber, "first (fiber 1)");
  EXPECT_EQ(wait.length_ns, 29'000u);
  EXPECT_EQ(wait.end_ns, 30'000u);
  EXPECT_EQ(wait.worker, 0u);
  EXPECT_EQ(
      wait.chain,
      (std::vector<ChainLink>{
          {.at_ns = 29'000, .worker = 0, .waker = "second (fiber 2)", .woken = "first (fiber 1)"},
          {.at_ns = 20'000, .worker = 1, .waker = "third (fiber 3)", .woken = "second (fiber 2)"},
          {.at_ns = 9000, .worker = 1, .waker = "", .woken = "third (fiber 3)"}}));
}

TEST(TimelineSummary, DoesNotBlameWhatWasBeforeTheWait) {
  Script script(2);
  script.Switch(0, 100, 1).Switch(0, 5000, 0, StopReason::kSuspended).Switch(0, 9000, 1);
  script.Add(1, 1000, EventKind::kWake, 2).Switch(1, 2000, 2).Add(1, 8000, EventKind::kWake, 1);
  const Summary summary = Summarized(script);
  ASSERT_EQ(summary.longest_waits.size(), 1u);
  ASSERT_EQ(summary.longest_waits[0].chain.size(), 1u);
  EXPECT_EQ(summary.longest_waits[0].chain[0].waker, "fiber 2");
}

TEST(TimelineSummary, KeepsTheCauseOfAFiberThatYields) {
  Script script(2);
  script.Switch(0, 100, 1).Switch(0, 500, 0, StopReason::kSuspended).Switch(0, 9000, 1);
  script.Add(1, 1000, EventKind::kWake, 2)
      .Switch(1, 2000, 2)
      .Switch(1, 3000, 3, StopReason::kYielded)
      .Switch(1, 4000, 2, StopReason::kYielded)
      .Add(1, 8000, EventKind::kWake, 1);
  const Summary summary = Summarized(script);
  ASSERT_EQ(summary.longest_waits.size(), 1u);
  EXPECT_EQ(summary.longest_waits[0].chain.size(), 2u);
}

TEST(TimelineSummary, EndsAChainThatIsTooLong) {
  Script script(1);
  // Each is woken by the one before: the last wait has caused all the others.
  for (std::uint32_t fiber = 1; fiber <= 12; ++fiber) {
    script.Switch(0, std::uint64_t{10} * fiber, fiber, StopReason::kSuspended);
  }
  script.Switch(0, 130, 0, StopReason::kSuspended).Add(0, 200, EventKind::kWake, 12);
  for (std::uint32_t fiber = 12; fiber > 1; --fiber) {
    const std::uint64_t at = 1500 - std::uint64_t{100} * fiber;
    script.Switch(0, at, fiber, StopReason::kSuspended)
        .Add(0, at + 50, EventKind::kWake, fiber - 1);
  }
  script.Switch(0, 2000, 1, StopReason::kSuspended);
  const Summary summary = Summarized(script);
  EXPECT_EQ(summary.waits, 12u);
  ASSERT_EQ(summary.longest_waits.size(), kLongestWaits);
  EXPECT_EQ(summary.longest_waits[0].fiber, "fiber 1");
  EXPECT_EQ(summary.longest_waits[0].chain.size(), kLongestChain);
}

// Two fibers that yield to each other on one worker: the first runs for `first` of every 1000 ns.
Script TakingTurns(std::uint64_t first) {
  Script script(1);
  script.Add(0, 0, EventKind::kSpawn, 1).Add(0, 0, EventKind::kSpawn, 2);
  for (std::uint64_t at = 0; at < Script::kEnd; at += 1000) {
    script.Switch(0, at, 1, at == 0 ? StopReason::kLoop : StopReason::kYielded)
        .Switch(0, at + first, 2, StopReason::kYielded);
  }
  return script;
}

TEST(TimelineFairness, IsJainsIndexOfTheTimesOfFibersThatCompete) {
  const Fairness even = Summarized(TakingTurns(500)).fairness;
  EXPECT_EQ(even.windows, kFairnessWindows);
  EXPECT_EQ(even.fibers, 2u);
  EXPECT_NEAR(even.least, 1, 1e-9);
  // (3 + 1)^2 / (2 * (9 + 1))
  EXPECT_NEAR(Summarized(TakingTurns(750)).fairness.median, 0.8, 1e-9);
}

TEST(TimelineFairness, DoesNotCountTheTimeOfAWorkerWithoutACpu) {
  // Without these 500 ns the first fiber ran as long as the second one.
  Script script = TakingTurns(750);
  for (std::uint64_t at = 0; at < Script::kEnd; at += 1000) {
    script.OffCpu(0, at + 100, at + 600, true);
  }
  EXPECT_NEAR(Summarized(script).fairness.median, 1, 1e-9);
}

TEST(TimelineFairness, HasNoIndexWhereNoTwoFibersCompete) {
  Script script(1);
  script.Switch(0, 0, 1).Switch(0, 1000, 2, StopReason::kSuspended);
  EXPECT_EQ(Summarized(script).fairness.windows, 0u);
}

TEST(TimelineSummary, CountsStealsByThiefAndVictim) {
  Script script(3);
  script.Add(2, 4000, EventKind::kSteal, 0, 5).Add(2, 5000, EventKind::kSteal, 0, 2);
  script.Add(1, 7000, EventKind::kSteal, 2, 1);
  const Summary summary = Summarized(script);
  EXPECT_EQ(summary.StealsOf(2, 0).operations, 2u);
  EXPECT_EQ(summary.StealsOf(2, 0).tasks, 7u);
  EXPECT_EQ(summary.StealsOf(1, 2).operations, 1u);
  EXPECT_EQ(summary.StealsOf(0, 2).operations, 0u);
  EXPECT_EQ(summary.first_steal_ns, 4000u);
}

TEST(TimelineSummary, HasNoFirstStealWithoutSteals) {
  EXPECT_EQ(Summarized(Script(2)).first_steal_ns, std::nullopt);
}

TEST(TimelineSummary, SpeaksOfTheWindowOnly) {
  const Summary summary = Summarized(Example(), 50'000);
  EXPECT_EQ(summary.length_ns, 50'000u);
  EXPECT_EQ(summary.workers[0].park_ns, 2000u);
  EXPECT_EQ(summary.wasted_ns, 3000u);
  EXPECT_EQ(summary.first_steal_ns, std::nullopt);
}

TEST(TimelineSummary, OfNothingIsZero) {
  const Summary summary = Summarized(Script(0));
  EXPECT_EQ(summary.wasted_ns, 0u);
  EXPECT_TRUE(summary.longest_waits.empty());
}

TEST(TimelineSummary, DoesNotCountWhatIsOutsideAsAWorker) {
  Script script(1);
  script.Switch(0, 10, 1).Switch(0, 20, 0, StopReason::kSuspended).Switch(0, 500, 1);
  script.External(400, EventKind::kWake, 1);
  const Summary summary = Summarized(script);
  EXPECT_EQ(summary.workers.size(), 1u);
  EXPECT_EQ(summary.steals.size(), 1u);
  ASSERT_EQ(summary.longest_waits.size(), 1u);
  ASSERT_EQ(summary.longest_waits[0].chain.size(), 1u);
  EXPECT_EQ(summary.longest_waits[0].chain[0].worker, kExternal);
}

}  // namespace

}  // namespace schedbench::timeline::summary_test

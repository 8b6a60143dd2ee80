#include "graph/build.hpp"

#include "graph/check.hpp"
#include "tests/graph/script.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace schedbench::graph {

namespace {

using trace::StopReason;

TEST(BuildGraph, HasTheStepsOfAFiberThatSpawnsAndWaits) {
  Script script(1);
  script.Spawn(script.Outside(), 100, 7)
      .Switch(0, 110, 7)
      .Spawn(0, 120, 9)
      .Suspend(0, 150, 4711, 3)
      .Switch(0, 160, 9)
      .Wake(0, 175, 7)
      .End(0, 180)
      .Switch(0, 185, 7)
      .End(0, 200);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(Check(graph), "");
  ASSERT_EQ(graph.tasks.size(), 3u);
  EXPECT_EQ(StepsText(graph, 0), "spawn 1");
  EXPECT_EQ(StepsText(graph, 1), "run 10, spawn 2, run 30, wait 0, run 15");
  EXPECT_EQ(StepsText(graph, 2), "run 15, wake 0, run 5");
  EXPECT_EQ(graph.makespan_ns, 100u);
  EXPECT_EQ(graph.StepsOf(1)[3].object, 4711u);
  EXPECT_EQ(graph.StepsOf(1)[3].detail, 3u);
}

TEST(BuildGraph, NumbersTasksBySpawnsAndNotByTime) {
  const auto graph_of = [](bool second_runs_first) {
    Script script(2);
    script.Spawn(script.Outside(), 0, 1)
        .Switch(0, 10, 1)
        .Spawn(0, 20, 2)
        .Spawn(0, 30, 3)
        .End(0, 40);
    const std::uint32_t first = second_runs_first ? 3 : 2;
    const std::uint32_t second = second_runs_first ? 2 : 3;
    script.Switch(1, 50, first).Spawn(1, 60, first * 10).End(1, 70);
    script.Switch(1, 80, second).Spawn(1, 90, second * 10).End(1, 100);
    script.Switch(0, 110, first * 10).End(0, 120).Switch(0, 130, second * 10).End(0, 140);
    return script.Graph();
  };
  EXPECT_EQ(StructureHash(graph_of(false)), StructureHash(graph_of(true)));
}

TEST(BuildGraph, MatchesAWakeThatWasRecordedBeforeTheWait) {
  Script script(2);
  script.Spawn(script.Outside(), 0, 1).Spawn(script.Outside(), 0, 2);
  script.Switch(0, 10, 1).Suspend(0, 30);
  script.Switch(1, 10, 2).Wake(1, 29, 1).End(1, 40);
  script.Switch(0, 50, 1).End(0, 60);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(StepsText(graph, 1), "run 20, wait 0, run 10");
  EXPECT_EQ(StepsText(graph, 2), "run 19, wake 0, run 11");
}

TEST(BuildGraph, KnowsHowLongAWaitFromOutsideLasted) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1).Switch(0, 10, 1).Suspend(0, 20);
  script.Wake(script.Outside(), 1020, 1).Switch(0, 1030, 1).End(0, 1040);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(StepsText(graph, 0), "spawn 1, run 1020, wake 0");
  EXPECT_EQ(graph.StepsOf(1)[1].ns, 1000u);
}

TEST(BuildGraph, EndsAFiberThatIsNeverWokenAtItsLastStep) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1).Switch(0, 10, 1).Suspend(0, 20);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(StepsText(graph, 1), "run 10");
  EXPECT_EQ(graph.waits, 0u);
}

TEST(BuildGraph, HasAYieldForEachTimeThatAFiberYielded) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1)
      .Switch(0, 10, 1)
      .Switch(0, 20, 1, StopReason::kYielded)
      .Switch(0, 30, 0, StopReason::kYielded)
      .Switch(0, 35, 1)
      .End(0, 40);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(StepsText(graph, 1), "run 10, yield, run 10, yield, run 5");
}

TEST(BuildGraph, BeginsWhereNoTrackLacksEvents) {
  Script script(2);
  script.Switch(0, 10, 1).End(0, 20).Switch(0, 100, 5).Wake(0, 110, 6).End(0, 120);
  script.Overwritten(1, 3).Switch(1, 90, 0).Switch(1, 115, 6).End(1, 130);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(graph.lost_events, 3u);
  ASSERT_EQ(graph.tasks.size(), 3u) << "fiber 1 ended before the second track begins";
  EXPECT_EQ(StepsText(graph, 1), "run 10, spawn 2, run 10");
  EXPECT_EQ(StepsText(graph, 2), "run 15");
}

TEST(BuildGraph, MakesAHandedOffFiberWaitForItsCall) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1).Switch(0, 10, 1);
  script.Add(0, {.ns = 30, .kind = trace::EventKind::kHandOff}).Switch(0, 40, 2);
  script.End(0, 50).Switch(0, 90, 1).End(0, 95);
  const TaskGraph graph = script.Graph();
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(StepsText(graph, 1), "run 30, wait 0, run 5");
  EXPECT_EQ(graph.StepsOf(1)[1].ns, 50u);
}

// Whatever is recorded, no index is out of range and no task has two parents.
TEST(BuildGraph, SurvivesEventsInImpossibleOrders) {
  std::mt19937 random(1729);
  const auto below = [&random](std::uint32_t count) {
    return static_cast<std::uint32_t>(random() % count);
  };
  for (int round = 0; round < 2000; ++round) {
    Script script(2);
    std::uint64_t ns = 0;
    for (int event = 0; event < 60; ++event) {
      ns += below(3) * 400;
      script.Add(below(3), {.ns = ns,
                            .fiber = below(5),
                            .arg = static_cast<std::uint16_t>(below(8)),
                            .kind = static_cast<trace::EventKind>(below(16))});
    }
    const std::string wrong = Check(script.Graph());
    EXPECT_TRUE(wrong.empty() || wrong.starts_with("the graph has a cycle")) << wrong;
  }
}

}  // namespace

}  // namespace schedbench::graph

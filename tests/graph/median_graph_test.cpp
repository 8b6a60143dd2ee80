#include "graph/fit/median_graph.hpp"

#include "tests/graph/script.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace schedbench::graph {

namespace {

// A fiber that computes, yields and computes again.
TaskGraph TwoComputations(std::uint64_t first_ns, std::uint64_t second_ns) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1).Switch(0, 0, 1);
  script.Switch(0, first_ns, trace::kNoFiber, trace::StopReason::kYielded);
  script.Switch(0, first_ns, 1).End(0, first_ns + second_ns);
  TaskGraph graph = script.Graph();
  graph.makespan_ns = first_ns + second_ns;
  return graph;
}

TaskGraph OneComputation(std::uint64_t ns) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1).Switch(0, 0, 1).End(0, ns);
  return script.Graph();
}

TEST(MedianGraph, HasNoDisturbanceOfASingleRecording) {
  const TaskGraph median = MedianGraph(
      {TwoComputations(100, 5'000), TwoComputations(110, 200), TwoComputations(9'000, 210)});
  TaskGraph expected = TwoComputations(110, 210);
  expected.makespan_ns = 5'100;  // of the first
  EXPECT_EQ(median, expected);
}

TEST(MedianGraph, IsTheRecordingWithTheLeastWorkWhereTheStructuresDiffer) {
  EXPECT_EQ(MedianGraph({OneComputation(500), TwoComputations(100, 200), OneComputation(600)}),
            TwoComputations(100, 200));
}

TEST(MedianGraph, IsTheRecordingWithTheLeastWorkOfTwo) {
  EXPECT_EQ(
      MedianGraph({TwoComputations(150, 300), TwoComputations(200, 100), OneComputation(1'000)}),
      TwoComputations(200, 100));
}

TEST(MedianGraph, UsesNoRecordingThatLostEventsIfOneDidNot) {
  TaskGraph cut = OneComputation(10);
  cut.lost_events = 1;
  EXPECT_EQ(MedianGraph({cut, OneComputation(500), cut}), OneComputation(500));
}

TEST(MedianGraph, KeepsASingleRecording) {
  EXPECT_EQ(MedianGraph({OneComputation(500)}), OneComputation(500));
}

}  // namespace

}  // namespace schedbench::graph

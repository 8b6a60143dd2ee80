#include "workloads/parts/task_graph.hpp"

#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace schedbench::tests::task_graph_test {

namespace {

using workloads::Pattern;
using workloads::TaskGraph;

// On which points of the step before a point depends.
std::set<std::size_t> Before(const TaskGraph::Shape& shape, std::uint32_t step,
                             std::uint32_t point) {
  const TaskGraph graph(shape);
  std::set<std::size_t> points;
  for (std::size_t from = 0; from < shape.width; ++from) {
    for (const std::uint32_t to : graph.Dependents((step - 1) * std::size_t{shape.width} + from)) {
      if (to == step * shape.width + point) {
        points.insert(from);
      }
    }
  }
  EXPECT_EQ(points.size(), graph.Needs(step * std::size_t{shape.width} + point));
  return points;
}

std::set<std::size_t> Before(Pattern pattern, std::uint32_t step, std::uint32_t point) {
  return Before({.pattern = pattern, .width = 8, .steps = 6, .radix = 3, .seed = 1}, step, point);
}

using Set = std::set<std::size_t>;

TEST(TaskGraph, HasTheDependencesOfEachPattern) {
  EXPECT_EQ(Before(Pattern::kTrivial, 1, 3), Set{});
  EXPECT_EQ(Before(Pattern::kNoComm, 1, 3), Set{3});
  EXPECT_EQ(Before(Pattern::kStencil1d, 1, 3), (Set{2, 3, 4}));
  EXPECT_EQ(Before(Pattern::kStencil1d, 1, 0), (Set{0, 1}));
  EXPECT_EQ(Before(Pattern::kStencil1dPeriodic, 1, 0), (Set{0, 1, 7}));
  EXPECT_EQ(Before(Pattern::kDom, 1, 3), (Set{2, 3}));
  EXPECT_EQ(Before(Pattern::kFft, 1, 3), (Set{2, 3, 4}));
  EXPECT_EQ(Before(Pattern::kFft, 2, 3), (Set{1, 3, 5}));
  EXPECT_EQ(Before(Pattern::kFft, 4, 3), (Set{2, 3, 4}));
  EXPECT_EQ(Before(Pattern::kAllToAll, 1, 3), (Set{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(Before(Pattern::kNearest, 1, 7), (Set{6, 7}));
  EXPECT_EQ(Before(Pattern::kSpread, 1, 0).size(), 3U);
  EXPECT_TRUE(Before(Pattern::kRandomNearest, 1, 3).contains(3));
}

TEST(TaskGraph, OfATreeDoublesUpToTheWidth) {
  const TaskGraph graph({.pattern = Pattern::kTree, .width = 6, .steps = 5, .radix = 1, .seed = 1});
  EXPECT_EQ(graph.TaskCount(), 1U + 2 + 4 + 6 + 6);
  EXPECT_TRUE(graph.Exists(6 + 1));
  EXPECT_FALSE(graph.Exists(6 + 2));
  EXPECT_EQ(Before(Pattern::kTree, 2, 3), Set{1});
}

TEST(TaskGraph, IsRunInTheOrderOfItsDependences) {
  for (const std::string_view pattern : config::kNamesOf<Pattern>) {
    const std::string spec = "taskgraph:width=6,steps=5,grain_ns=0,pattern=" + std::string(pattern);
    const Outcome outcome = RunOnce(spec, "fast", 2);
    EXPECT_EQ(outcome.wrong, "") << spec;
    EXPECT_EQ(outcome.operations, pattern == "tree" ? 19U : 30U) << spec;
    EXPECT_GT(outcome["granularity"], 0) << spec;
  }
}

}  // namespace

}  // namespace schedbench::tests::task_graph_test

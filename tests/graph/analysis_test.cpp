#include "graph/analysis.hpp"

#include "graph/check.hpp"
#include "graph/fit/overhead.hpp"
#include "tests/graph/script.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace schedbench::graph {

namespace {

// A fiber that starts two others, computes, and waits for both.
TaskGraph TwoChildren() {
  Script script(3);
  script.Spawn(script.Outside(), 0, 1);
  script.Switch(0, 0, 1).Spawn(0, 100, 2).Spawn(0, 110, 3).Suspend(0, 130).Switch(0, 540, 1);
  script.Suspend(0, 540).Switch(0, 730, 1).End(0, 750);
  script.Switch(1, 200, 2).Wake(1, 500, 1).End(1, 520);
  script.Switch(2, 210, 3).Wake(2, 710, 1).End(2, 715);
  return script.Graph();
}

TEST(Analyse, FindsWorkSpanAndCriticalPath) {
  TaskGraph graph = TwoChildren();
  ASSERT_EQ(Check(graph), "");
  graph.labels = {"", "parent", "first", "second"};
  for (std::uint32_t task = 1; task < 4; ++task) {
    graph.tasks[task].label = task;
  }
  const Analysis analysis = Analyse(graph);
  EXPECT_EQ(analysis.work_ns, 100u + 10 + 20 + 20 + 320 + 505);
  EXPECT_EQ(analysis.span_ns, 100u + 10 + 500 + 20) << "by way of the second child";
  EXPECT_EQ(analysis.fibers, 3u);
  EXPECT_EQ(analysis.path_tasks, 3u) << "parent, child, parent";
  ASSERT_EQ(analysis.path.size(), 2u);
  EXPECT_EQ(graph.labels[analysis.path[0].label], "second");
  EXPECT_EQ(analysis.path[0].ns, 500u);
  EXPECT_EQ(analysis.path[1].ns, 130u);
}

TEST(Analyse, CountsAWaitFromOutsideInTheSpan) {
  Script script(1);
  script.Spawn(script.Outside(), 0, 1).Switch(0, 10, 1).Suspend(0, 20);
  script.Wake(script.Outside(), 1020, 1).Switch(0, 1030, 1).End(0, 1040);
  const Analysis analysis = Analyse(script.Graph());
  EXPECT_EQ(analysis.work_ns, 20u);
  EXPECT_EQ(analysis.span_ns, 1020u);
  EXPECT_EQ(analysis.outside_ns, 1000u);
}

TEST(Analyse, DoesNotOverflow) {
  TaskGraph graph = TwoChildren();
  for (Step& step : graph.steps) {
    if (step.kind == StepKind::kRun) {
      step.ns = std::numeric_limits<std::uint64_t>::max() / 2;
    }
  }
  EXPECT_EQ(Analyse(graph).work_ns, std::numeric_limits<std::uint64_t>::max());
}

TEST(Check, NamesWhatIsWrong) {
  const auto wrong_after = [](auto change) {
    TaskGraph graph = TwoChildren();
    change(graph);
    return Check(graph);
  };
  const auto step = [](TaskGraph& graph, StepKind kind) -> Step& {
    for (Step& one : graph.steps) {
      if (one.kind == kind && &one >= &graph.steps[graph.tasks[1].first_step]) {
        return one;
      }
    }
    return graph.steps.front();
  };
  EXPECT_EQ(wrong_after([&](TaskGraph& graph) { step(graph, StepKind::kSpawn).target = 4; }),
            "task 1 spawns task 4; there are tasks 1 to 3");
  EXPECT_EQ(wrong_after([&](TaskGraph& graph) { step(graph, StepKind::kSpawn).target = 3; }),
            "task 2 is spawned by no task");
  EXPECT_EQ(wrong_after([&](TaskGraph& graph) { step(graph, StepKind::kWake).target = 9; }),
            "task 2 has a wake of the wait 9; there are 2 waits");
  EXPECT_EQ(wrong_after([&](TaskGraph& graph) { step(graph, StepKind::kWake).target = 1; }),
            "the wait 0 must be begun once and ended once");
  EXPECT_EQ(wrong_after([](TaskGraph& graph) { graph.tasks[1].is_plain = true; }),
            "task 1 has the step wait, which only a fiber can do");
  EXPECT_EQ(wrong_after([](TaskGraph& graph) { graph.tasks[2].label = 5; }),
            "task 2 has the label 5; there are 1");
  EXPECT_EQ(wrong_after([](TaskGraph& graph) {
              // The parent waits for the second child before it spawns it.
              std::swap(graph.steps[graph.tasks[1].first_step + 3],
                        graph.steps[graph.tasks[1].first_step + 7]);
            }),
            "the graph has a cycle: step 4 of task 1 depends on itself");
}

TEST(ShiftOverhead, RoundsThePairsSoThatAllComputationsTogetherChangeByTheShift) {
  // A hundred fibers that compute twice, with a yield between.
  Script script(1);
  for (std::uint32_t fiber = 1; fiber <= 100; ++fiber) {
    script.Spawn(script.Outside(), 0, fiber);
  }
  for (std::uint32_t fiber = 1; fiber <= 100; ++fiber) {
    const std::uint64_t begin = fiber * 1000;
    script.Switch(0, begin, fiber).Switch(0, begin + 100, 0, trace::StopReason::kYielded);
    script.Switch(0, begin + 200, fiber).End(0, begin + 400);
  }
  const TaskGraph graph = script.Graph();
  const auto work_with = [&](double shift) {
    TaskGraph shifted = graph;
    ShiftOverhead(shifted, shift);
    std::uint64_t work = 0;
    for (std::size_t task = 1; task <= 100; ++task) {
      work += shifted.WorkNs(task, 0) + shifted.WorkNs(task, 2);
    }
    return work;
  };
  EXPECT_EQ(work_with(0), 30'000u);
  EXPECT_EQ(work_with(0.5), 29'900u);
  EXPECT_EQ(work_with(10.5), 27'900u);
  EXPECT_EQ(work_with(150), 5'000u) << "no pair gets longer than its longest computation";
}

TEST(ShiftOverhead, RoundsARarePairByANanosecondAtMost) {
  // A thousand fibers that compute once, and twenty that yield once.
  Script script(1);
  constexpr std::uint32_t kFibers = 1020;
  for (std::uint32_t fiber = 1; fiber <= kFibers; ++fiber) {
    script.Spawn(script.Outside(), 0, fiber);
  }
  for (std::uint32_t fiber = 1; fiber <= kFibers; ++fiber) {
    const std::uint64_t begin = fiber * 1000;
    script.Switch(0, begin, fiber);
    if (fiber > 1000) {
      script.Switch(0, begin + 100, 0, trace::StopReason::kYielded).Switch(0, begin + 200, fiber);
    }
    script.End(0, begin + 400);
  }
  TaskGraph graph = script.Graph();
  ShiftOverhead(graph, 10.4);
  for (const auto& row : *graph.overhead) {
    for (const std::int32_t ns : row) {
      EXPECT_TRUE(ns == 0 || (ns >= 9 && ns <= 12)) << ns;
    }
  }
}

TEST(FitOverhead, MakesTheLengthsOfAReplayThoseOfTheRecording) {
  // Fifty fibers, each of which computes for `ns`.
  const auto graph_of = [](std::uint64_t ns) {
    Script script(1);
    for (std::uint32_t fiber = 1; fiber <= 50; ++fiber) {
      script.Spawn(script.Outside(), fiber, fiber);
    }
    for (std::uint32_t fiber = 1; fiber <= 50; ++fiber) {
      script.Switch(0, fiber * 1000, fiber).End(0, fiber * 1000 + ns);
    }
    return script.Graph();
  };
  TaskGraph graph = graph_of(200);
  EXPECT_EQ(graph.WorkNs(1, 0), 200u);
  FitOverhead(graph, graph_of(260));  // a replay took 60 more
  EXPECT_EQ(graph.WorkNs(1, 0), 140u);
  FitOverhead(graph, graph_of(190));
  EXPECT_EQ(graph.WorkNs(1, 0), 150u);
  FitOverhead(graph, graph_of(900));
  EXPECT_EQ(graph.WorkNs(1, 0), 0u) << "never less than nothing";
}

}  // namespace

}  // namespace schedbench::graph

#include "graph/import/go_trace.hpp"

#include "graph/check.hpp"
#include "graph/graph_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace schedbench::graph {

namespace {

// The pipeline of data/pipeline.go: a producer, four workers, a main goroutine that adds up 200 results.
TEST(GoTrace, HasTheGoroutinesAndTheirDependences) {
  std::ifstream file(SB_GRAPH_DATA "/go_1_19.trace", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const TaskGraph graph = ReadGoTrace(bytes);
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(graph.workers, 2u);
  EXPECT_EQ(graph.Fact("source"), "go 1.19 trace");
  const auto count = [&graph](const std::string& name) {
    return std::ranges::count_if(graph.tasks, [&](const Task& task) {
      return graph.labels[task.label] == name;
    });
  };
  EXPECT_EQ(count("main.worker"), 4);
  EXPECT_EQ(count("main.main.func1"), 1);
  std::uint64_t worker_ns = 0;
  std::uint64_t sleeps = 0;
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    for (const Step& step : graph.StepsOf(task)) {
      const bool is_worker = graph.labels[graph.tasks[task].label] == "main.worker";
      worker_ns += is_worker && step.kind == StepKind::kRun ? step.ns : 0;
      sleeps += step.kind == StepKind::kWait && step.ns >= 2'000'000 ? 1 : 0;
    }
  }
  EXPECT_GE(worker_ns, 200u * 20'000) << "each of 200 values takes a worker 20 us";
  EXPECT_GE(sleeps, 1u) << "the main goroutine sleeps for 2 ms";
}

TEST(GoTrace, RefusesOtherVersionsAndDamage) {
  const auto message_of = [](const std::string& bytes) -> std::string {
    try {
      ReadGoTrace(bytes);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  };
  const std::string zeros(3, '\0');
  EXPECT_EQ(
      message_of("go 1.22 trace" + zeros),
      "the format of this trace is that of go 1.22; the formats of go 1.11 and go 1.19 are read");
  EXPECT_EQ(message_of("go 1.19 trace" + zeros),
            "the Go trace is damaged at byte 16: it has no frequency of its clock: the program "
            "ended before it called "
            "trace.Stop()");
  EXPECT_EQ(message_of("go 1.19 trace" + zeros + '\x3f'),
            "the Go trace is damaged at byte 16: there is no event 63");
  EXPECT_EQ(message_of("hello"), "this is no Go trace: it does not begin with \"go 1.19 trace\"");
}

}  // namespace

}  // namespace schedbench::graph

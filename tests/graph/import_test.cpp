#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/chrome_json.hpp"
#include "graph/import/go_trace.hpp"
#include "tests/graph/script.hpp"

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

TEST(ChromeJson, MakesTasksOfSlicesAndDependencesOfFlows) {
  const TaskGraph graph = ReadChromeJson(R"({"traceEvents": [
    {"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "name": "parent", "args": {"task": "p"}},
    {"ph": "s", "pid": 1, "tid": 1, "ts": 12, "id": 1, "name": "spawn"},
    {"ph": "f", "bp": "e", "pid": 1, "tid": 2, "ts": 20, "id": 1, "name": "spawn"},
    {"ph": "B", "pid": 1, "tid": 2, "ts": 20, "name": "child"},
    {"ph": "X", "pid": 1, "tid": 2, "ts": 21, "dur": 1, "name": "a call of the child"},
    {"ph": "s", "pid": 1, "tid": 2, "ts": 26, "id": 2, "name": "wake"},
    {"ph": "E", "pid": 1, "tid": 2, "ts": 27},
    {"ph": "f", "pid": 1, "tid": 1, "ts": 26, "id": 2, "name": "wake"},
    {"ph": "X", "pid": 1, "tid": 1, "ts": 30, "dur": 2.5, "name": "parent", "args": {"task": "p"}},
    {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "x"}}]})");
  ASSERT_EQ(graph.tasks.size(), 3u);
  EXPECT_EQ(StepsText(graph, 0), "spawn 1");
  EXPECT_EQ(StepsText(graph, 1), "run 2000, spawn 2, run 3000, wait 0, run 2500");
  EXPECT_EQ(StepsText(graph, 2), "run 6000, wake 0, run 1000");
  EXPECT_EQ(graph.labels[graph.tasks[2].label], "child");
  EXPECT_EQ(graph.makespan_ns, 22'500u);
}

TEST(ChromeJson, WaitsForAllFlowsIntoASlice) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph": "X", "tid": 1, "ts": 0, "dur": 5, "name": "a"},
    {"ph": "X", "tid": 2, "ts": 0, "dur": 9, "name": "b"},
    {"ph": "s", "tid": 1, "ts": 5, "id": 1},
    {"ph": "s", "tid": 2, "ts": 9, "id": 2},
    {"ph": "X", "tid": 1, "ts": 10, "dur": 1, "name": "join"},
    {"ph": "f", "bp": "e", "tid": 1, "ts": 10, "id": 1},
    {"ph": "f", "bp": "e", "tid": 1, "ts": 10, "id": 2}])");
  EXPECT_EQ(Check(graph), "");
  ASSERT_EQ(graph.tasks.size(), 4u);
  EXPECT_EQ(StepsText(graph, 1), "run 5000, spawn 2, run 0");
  EXPECT_EQ(StepsText(graph, 2), "run 0, wait 0, run 1000");
  EXPECT_EQ(StepsText(graph, 3), "run 9000, wake 0, run 0");
}

TEST(ChromeJson, KnowsTheTaskOfASliceByItsIdAndThatAPreemptionIsNoWork) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph": "X", "tid": 1, "ts": 0, "dur": 5, "name": "a", "id": 7},
    {"ph": "X", "tid": 1, "ts": 1, "dur": 3, "name": "preempted"},
    {"ph": "X", "tid": 2, "ts": 9, "dur": 4, "name": "a", "id": 7}])");
  ASSERT_EQ(graph.tasks.size(), 2u);
  EXPECT_EQ(StepsText(graph, 1), "run 2000, wait 0, run 4000");
}

TEST(ChromeJson, CountsWhatItLeavesOut) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph": "X", "tid": 1, "ts": 0, "dur": 5, "name": "a"},
    {"ph": "X", "tid": 1, "ts": 3, "dur": 9, "name": "b"},
    {"ph": "B", "tid": 1, "ts": 20, "name": "c"},
    {"ph": "s", "tid": 1, "ts": 4, "id": 1},
    {"ph": "f", "bp": "e", "tid": 1, "ts": 19, "id": 1}])");
  ASSERT_EQ(graph.tasks.size(), 2u);
  EXPECT_EQ(graph.Fact(kLeftOutFact),
            "slices without an end: 1, that overlap an earlier one: 1; flows outside slices: 1");
}

TEST(ChromeJson, RefusesWhatIsNoTrace) {
  const auto message_of = [](const std::string& text) -> std::string {
    try {
      ReadChromeJson(text);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of("{}"), "the JSON text is no trace: it has no \"traceEvents\"");
  EXPECT_TRUE(message_of("[{").starts_with("the trace is no JSON text: parse error at line 1"))
      << message_of("[{");
  EXPECT_TRUE(message_of(R"({"traceEvents":[1,"x"]})").starts_with("the trace has no slice"));
  EXPECT_EQ(message_of(R"([{"ph":"X","name":"a"}])"),
            R"(an event has no number "ts": {"name":"a","ph":"X"})");
  EXPECT_EQ(message_of(R"([{"ph":"X","ts":-1}])"),
            R"(the number "ts" is negative or more than a century: {"ph":"X","ts":-1})");
  EXPECT_EQ(message_of(R"([{"ph":"E","ts":1}])"),
            R"(an event "E" ends nothing: {"ph":"E","ts":1})");
  EXPECT_EQ(
      message_of(
          R"([{"ph":"X","tid":1,"ts":50,"dur":5,"name":"a"},{"ph":"X","tid":2,"ts":10,"dur":5,"name":"b"},
                           {"ph":"s","tid":1,"ts":52,"id":1},{"ph":"f","bp":"e","tid":2,"ts":12,"id":1}])"),
      "the flow 1 goes back in time: from 52 us to the slice at 10 us, \"b\"");
}

}  // namespace

}  // namespace schedbench::graph

#include "graph/import/chrome_json.hpp"

#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "tests/graph/script.hpp"
#include "tests/support/stress.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>

namespace schedbench::graph {

namespace {

TaskGraph ReadData(const std::string& name) {
  std::ifstream file(SB_GRAPH_DATA "/" + name);
  return ReadChromeJson(std::string{std::istreambuf_iterator<char>(file), {}});
}

std::string ComplaintOf(const std::string& text) {
  try {
    ReadChromeJson(text);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

// The steps of the task whose label is `name`, with names instead of the numbers of spawned tasks.
std::string StepsOfNamed(const TaskGraph& graph, const std::string& name) {
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    if (graph.labels[graph.tasks[task].label] == name) {
      return StepsText(graph, task);
    }
  }
  return "there is no task " + name;
}

// Which task spawned the task `name`; "outside" for none.
std::string ParentOf(const TaskGraph& graph, const std::string& name) {
  for (std::size_t task = 0; task < graph.tasks.size(); ++task) {
    for (const Step& step : graph.StepsOf(task)) {
      if (step.kind == StepKind::kSpawn && graph.labels[graph.tasks[step.target].label] == name) {
        return task == 0 ? "outside" : graph.labels[graph.tasks[task].label];
      }
    }
  }
  return "nothing";
}

// Three slices of 10 us, at 0, 20 and 40 us on threads 1, 2 and 3, and `flows`.
TaskGraph ThreeSlices(const std::string& flows) {
  return ReadChromeJson(R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},
    {"ph":"X","pid":1,"tid":2,"ts":20,"dur":10,"name":"b"},
    {"ph":"X","pid":1,"tid":3,"ts":40,"dur":10,"name":"c"},)" +
                        flows + "]");
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

TEST(ChromeJson, KnowsTheTaskOfASliceByItsIdAndThatAPreemptionIsNotWork) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph": "X", "tid": 1, "ts": 0, "dur": 5, "name": "a", "id": 7},
    {"ph": "X", "tid": 1, "ts": 1, "dur": 3, "name": "preempted"},
    {"ph": "X", "tid": 2, "ts": 9, "dur": 4, "name": "a", "id": 7}])");
  ASSERT_EQ(graph.tasks.size(), 2u);
  EXPECT_EQ(StepsText(graph, 1), "run 2000, wait 0, run 4000");
}

TEST(ChromeFlows, WithStepsAreChains) {
  const TaskGraph graph = ReadData("chrome_flow_v1_step.json");
  EXPECT_EQ(ParentOf(graph, "send"), "outside");
  EXPECT_EQ(ParentOf(graph, "forward"), "send");
  EXPECT_EQ(ParentOf(graph, "receive"), "forward");
  EXPECT_EQ(StepsOfNamed(graph, "forward"), "run 100000, spawn 3, run 0")
      << "a step at the begin of a slice stands for the whole slice";
  EXPECT_EQ(graph.Fact(kLeftOutFact), "");
}

TEST(ChromeFlows, OfVersion2AreChains) {
  const TaskGraph graph = ReadData("chrome_flow_v2_bind_id.json");
  EXPECT_EQ(ParentOf(graph, "forward"), "send");
  EXPECT_EQ(ParentOf(graph, "receive"), "forward");
  EXPECT_EQ(graph.Fact(kLeftOutFact), "");
}

TEST(ChromeFlows, MayUseAnIdAgain) {
  const TaskGraph graph = ReadData("chrome_flow_id_reused.json");
  ASSERT_EQ(graph.tasks.size(), 5U);
  std::size_t from_outside = 0;
  for (const Step& step : graph.StepsOf(0)) {
    from_outside += step.kind == StepKind::kSpawn ? 1 : 0;
  }
  EXPECT_EQ(from_outside, 2U) << "each \"a\" spawns one \"b\"";
  EXPECT_EQ(graph.Fact(kLeftOutFact), "");
}

TEST(ChromeFlows, OfVersion2MayUseAnIdAgain) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"X","tid":1,"ts":0,"dur":1,"name":"a","bind_id":7,"flow_out":true},
    {"ph":"X","tid":2,"ts":2,"dur":1,"name":"b","bind_id":"0x7","flow_in":true},
    {"ph":"X","tid":1,"ts":4,"dur":1,"name":"c","bind_id":7,"flow_out":true},
    {"ph":"X","tid":2,"ts":6,"dur":1,"name":"d","bind_id":7,"flow_in":true}])");
  EXPECT_EQ(ParentOf(graph, "b"), "a") << "7 and \"0x7\" are one id";
  EXPECT_EQ(ParentOf(graph, "d"), "c");
}

TEST(ChromeFlows, HaveOneIdForEachCategoryAndName) {
  const TaskGraph graph = ThreeSlices(R"(
    {"ph":"s","pid":1,"tid":1,"ts":5,"id":1,"cat":"x","name":"n"},
    {"ph":"s","pid":1,"tid":2,"ts":25,"id":1,"cat":"x","name":"m"},
    {"ph":"f","bp":"e","pid":1,"tid":3,"ts":40,"id":"0x1","cat":"x","name":"n"},
    {"ph":"s","pid":1,"tid":1,"ts":6,"id":1,"cat":"y","name":"n"},
    {"ph":"f","bp":"e","pid":1,"tid":2,"ts":20,"id":1,"cat":"y","name":"n"})");
  EXPECT_EQ(ParentOf(graph, "b"), "a");
  EXPECT_EQ(ParentOf(graph, "c"), "a");
  EXPECT_EQ(graph.Fact(kLeftOutFact), "flow events without the other end: 1");
}

TEST(ChromeFlows, HaveLocalIdsByProcess) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},
    {"ph":"X","pid":2,"tid":1,"ts":0,"dur":10,"name":"b"},
    {"ph":"s","pid":1,"tid":1,"ts":5,"id2":{"local":"0x1"}},
    {"ph":"s","pid":2,"tid":1,"ts":6,"id2":{"local":"0x1"}},
    {"ph":"X","pid":1,"tid":2,"ts":20,"dur":10,"name":"c"},
    {"ph":"X","pid":2,"tid":2,"ts":20,"dur":10,"name":"d"},
    {"ph":"f","bp":"e","pid":1,"tid":2,"ts":20,"id2":{"local":"0x1"}},
    {"ph":"f","bp":"e","pid":2,"tid":2,"ts":20,"id2":{"local":"0x1"}}])");
  EXPECT_EQ(ParentOf(graph, "c"), "a");
  EXPECT_EQ(ParentOf(graph, "d"), "b");
}

TEST(ChromeFlows, HaveGlobalIdsForAllProcesses) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},
    {"ph":"X","pid":2,"tid":1,"ts":20,"dur":10,"name":"b"},
    {"ph":"s","pid":1,"tid":1,"ts":5,"id2":{"global":"0x1"}},
    {"ph":"f","bp":"e","pid":2,"tid":1,"ts":20,"id2":{"global":"0x1"}}])");
  EXPECT_EQ(ParentOf(graph, "b"), "a");
}

TEST(ChromeFlows, BindAnEndToTheNextSliceUnlessItNamesTheEnclosingOne) {
  const std::string slices = R"([
    {"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"a"},
    {"ph":"X","pid":1,"tid":2,"ts":10,"dur":10,"name":"b"},
    {"ph":"X","pid":1,"tid":2,"ts":30,"dur":10,"name":"c"},
    {"ph":"s","pid":1,"tid":1,"ts":5,"id":1},)";
  const TaskGraph next = ReadChromeJson(slices + R"({"ph":"f","pid":1,"tid":2,"ts":15,"id":1}])");
  EXPECT_EQ(ParentOf(next, "b"), "outside");
  EXPECT_EQ(ParentOf(next, "c"), "a");
  const TaskGraph enclosing =
      ReadChromeJson(slices + R"({"ph":"f","bp":"e","pid":1,"tid":2,"ts":15,"id":1}])");
  EXPECT_EQ(ParentOf(enclosing, "b"), "a");
  EXPECT_EQ(ParentOf(enclosing, "c"), "outside");
}

TEST(ChromeFlows, ThatComeInTheMiddleOfASliceHoldItsRest) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"B","pid":1,"tid":1,"ts":0,"name":"loop"},
    {"ph":"X","pid":1,"tid":2,"ts":0,"dur":10,"name":"a"},
    {"ph":"s","pid":1,"tid":2,"ts":4,"id":1},
    {"ph":"f","pid":1,"tid":1,"ts":5,"id":1},
    {"ph":"B","pid":1,"tid":1,"ts":6,"name":"handler"},
    {"ph":"E","pid":1,"tid":1,"ts":8},
    {"ph":"E","pid":1,"tid":1,"ts":10}])");
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(StepsOfNamed(graph, "loop"), "run 6000, wait 0, run 4000")
      << "the next slice is the handler, inside the loop";
  EXPECT_EQ(StepsOfNamed(graph, "a"), "run 4000, wake 0, run 6000");
}

TEST(ChromeFlows, MayStandBeforeTheirSlicesInTheFile) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"f","bp":"e","pid":1,"tid":2,"ts":20,"id":1},
    {"ph":"s","pid":1,"tid":1,"ts":5,"id":1},
    {"ph":"X","pid":1,"tid":2,"ts":20,"dur":5,"name":"b"},
    {"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"a"}])");
  EXPECT_EQ(ParentOf(graph, "b"), "a");
}

TEST(ChromeFlows, WithoutASliceOrAnOtherEndAreCounted) {
  const TaskGraph graph = ThreeSlices(R"(
    {"ph":"s","pid":1,"tid":1,"ts":5,"id":1},
    {"ph":"f","bp":"e","pid":1,"tid":9,"ts":20,"id":1},
    {"ph":"s","pid":1,"tid":1,"ts":5,"id":2},
    {"ph":"f","bp":"e","pid":1,"tid":3,"ts":40,"id":3},
    {"ph":"f","bp":"e","pid":1,"tid":3,"ts":40},
    {"ph":"X","pid":1,"tid":4,"ts":60,"dur":1,"name":"d","bind_id":1})");
  EXPECT_EQ(graph.Fact(kLeftOutFact),
            "flow events without an id: 1; flow events without the other end: 2; flows outside "
            "slices: 1; flows without a \"bind_id\" or a direction: 1");
}

TEST(ChromeFlows, OfVersion2BelongToTheirSliceAlsoIfItHasNoLength) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"X","tid":1,"ts":0,"dur":5,"name":"a","bind_id":7,"flow_out":true},
    {"ph":"X","tid":2,"ts":20,"dur":0,"name":"b","bind_id":7,"flow_in":true},
    {"ph":"X","tid":2,"ts":20,"dur":0,"name":"c"}])");
  EXPECT_EQ(ParentOf(graph, "b"), "a");
  EXPECT_EQ(ParentOf(graph, "c"), "outside");
  EXPECT_EQ(graph.Fact(kLeftOutFact), "");
}

// Hostile sizes: a step may not look at all that is open.

TEST(ChromeJson, ReadsManyOpenBeginsWithEndsOfOtherNames) {
  constexpr unsigned kMany = tests::kSanitized ? 2'000 : 60'000;
  std::string text = R"([{"ph":"X","ts":0,"dur":1,"name":"a"})";
  for (unsigned i = 0; i < kMany; ++i) {
    text += R"(,{"ph":"B","ts":1,"name":"open"})";
  }
  for (unsigned i = 0; i < kMany; ++i) {
    text += R"(,{"ph":"E","ts":2,"name":"other"})";
  }
  EXPECT_EQ(ReadChromeJson(text + "]").Fact(kLeftOutFact),
            fmt::format("ends without a begin: {0}; slices without an end: {0}", kMany));
}

TEST(ChromeJson, ReadsManyFlowsBehindNestedSlices) {
  constexpr unsigned kMany = tests::kSanitized ? 2'000 : 40'000;
  std::string text = R"([{"ph":"X","tid":1,"ts":0,"dur":900000,"name":"outer"})";
  for (unsigned i = 0; i < kMany; ++i) {
    text += fmt::format(R"(,{{"ph":"X","tid":1,"ts":1,"dur":{},"name":"in"}})", 100'000 - i);
    text += fmt::format(R"(,{{"ph":"s","tid":1,"ts":{0},"id":{0}}})", 200'000 + i);
    text += fmt::format(R"(,{{"ph":"f","bp":"e","tid":2,"ts":{0},"id":{0}}})", 200'000 + i);
  }
  const TaskGraph graph =
      ReadChromeJson(text + R"(,{"ph":"X","tid":2,"ts":200000,"dur":100000,"name":"b"}])");
  EXPECT_EQ(graph.tasks.size(), 3U);
  EXPECT_EQ(graph.Fact(kLeftOutFact), "");
  EXPECT_EQ(graph.waits, kMany - 1U) << "the first flow starts the task, the others end its waits";
}

TEST(ChromeJson, ReadsManyPreemptionsInsideALongOne) {
  constexpr unsigned kMany = tests::kSanitized ? 2'000 : 100'000;
  std::string text = R"([{"ph":"X","ts":0,"dur":1000000,"name":"preempted"})";
  for (unsigned i = 0; i < kMany; ++i) {
    text += fmt::format(R"(,{{"ph":"X","ts":{},"dur":1,"name":"preempted"}})", i + 1);
    text += fmt::format(R"(,{{"ph":"X","ts":{},"dur":1,"name":"a"}})", 100'000 + 2 * i);
  }
  const TaskGraph graph = ReadChromeJson(text + "]");
  EXPECT_EQ(graph.tasks.size(), kMany + 1U);
  EXPECT_EQ(StepsOfNamed(graph, "a"), "run 0") << "another thread had the CPU all the time";
}

TEST(ChromeJson, MayLackItsEnd) {
  const TaskGraph line = ReadData("chrome_no_closing_bracket.json");
  ASSERT_EQ(line.tasks.size(), 2U);
  EXPECT_EQ(line.makespan_ns, 8'000'000U);
  EXPECT_EQ(line.Fact(kLeftOutFact), "");
  const std::string event = R"({"ph":"X","ts":1,"dur":2,"name":"a"})";
  for (const std::string& text :
       {"[" + event + ",]", "[" + event, R"({"traceEvents":[)" + event + ",",
        R"({"x":{"y":[1]},"traceEvents":[)" + event, "[,\n" + event + "\n]\n"}) {
    EXPECT_EQ(ReadChromeJson(text).tasks.size(), 2U) << text;
    EXPECT_EQ(ReadChromeJson(text).Fact(kLeftOutFact), "") << text;
  }
  EXPECT_EQ(ReadChromeJson("[" + event + R"(,{"ph":"X","ts":1,"na)").Fact(kLeftOutFact),
            "values that are not events, or are cut by the end of the text: 1");
}

TEST(ChromeJson, CountsAnEndWithoutABegin) {
  const TaskGraph graph = ReadData("chrome_E_without_B.json");
  ASSERT_EQ(graph.tasks.size(), 2U);
  EXPECT_EQ(StepsOfNamed(graph, "alpha"), "run 1000");
  EXPECT_EQ(graph.Fact(kLeftOutFact), "ends without a begin: 1");
}

TEST(ChromeJson, MatchesBeginsAndEndsInTheOrderOfTime) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"E","tid":1,"ts":9,"name":"outer"},
    {"ph":"E","tid":1,"ts":5,"name":"inner"},
    {"ph":"B","tid":1,"ts":0,"name":"outer"},
    {"ph":"B","tid":1,"ts":2,"name":"inner"}])");
  ASSERT_EQ(graph.tasks.size(), 2U);
  EXPECT_EQ(StepsOfNamed(graph, "outer"), "run 9000");
}

TEST(ChromeJson, ReadsNegativeTimesAndNumbersAsText) {
  const TaskGraph graph = ReadChromeJson(R"([
    {"ph":"X","pid":"7","tid":1,"ts":"-12.5","dur":"10","name":"a"},
    {"ph":"s","pid":7,"tid":"1","ts":"-3e0","id":1},
    {"ph":"f","bp":"e","pid":7,"tid":2,"ts":0,"id":1},
    {"ph":"X","pid":7,"tid":2,"ts":0,"dur":2,"name":"b"}])");
  EXPECT_EQ(StepsOfNamed(graph, "a"), "run 9500, spawn 2, run 500");
  EXPECT_EQ(graph.makespan_ns, 14'500U);
}

TEST(ChromeJson, CountsWhatItLeavesOut) {
  const TaskGraph graph = ReadChromeJson(R"({"displayTimeUnit":"ns","traceEvents":[
    {"ph":"X","tid":1,"ts":0,"dur":5,"name":"a"},
    {"ph":"X","tid":1,"ts":3,"dur":9,"name":"b"},
    {"ph":"B","tid":1,"ts":20,"name":"c"},
    {"ph":"X","tid":1,"ts":20,"name":"without a length"},
    {"ph":"s","tid":1,"ts":4,"id":1},
    {"ph":"b","cat":"x","id":1,"ts":3,"name":"n"},
    {"ph":"n","cat":"x","id":1,"ts":4,"name":"n"},
    {"ph":"e","cat":"x","id":1,"ts":5,"name":"n"},
    {"ph":"C","ts":5,"name":"n","args":{"x":1}},
    {"ph":"M","name":"process_name","args":{"name":"x"}},
    17,
    {"ph":"f","bp":"e","tid":1,"ts":19,"id":1}],"otherData":{"a":[1]}})");
  ASSERT_EQ(graph.tasks.size(), 2u);
  EXPECT_EQ(
      graph.Fact(kLeftOutFact),
      "asynchronous events: 3; events of other kinds: 1; flows outside slices: 1; slices that "
      "overlap an earlier one: 1; slices without an end: 2; values that are not events, or are cut "
      "by the end of the text: 1");
}

TEST(ChromeJson, RefusesWhatIsNotATrace) {
  EXPECT_EQ(ComplaintOf("{}"), "the JSON text is not a trace: it has no array \"traceEvents\"");
  EXPECT_EQ(ComplaintOf(R"({"traceEvents":7})"),
            "the JSON text is not a trace: it has no array \"traceEvents\"");
  EXPECT_TRUE(ComplaintOf("[{").starts_with("the trace has no slice")) << ComplaintOf("[{");
  EXPECT_TRUE(
      ComplaintOf("[\n{\"ph\":}]")
          .starts_with(
              "the trace is not JSON text: the event in line 2: parse error at line 1, column 7"))
      << ComplaintOf("[\n{\"ph\":}]");
  EXPECT_EQ(ComplaintOf("[] x"),
            "the trace is not JSON text: line 1: the text continues after the array of events");
  EXPECT_EQ(ComplaintOf("[}]"),
            "the trace is not JSON text: line 1: there is no value before \"}\"");
  EXPECT_TRUE(ComplaintOf(R"({"traceEvents":[1,"x"]})").starts_with("the trace has no slice"));
  EXPECT_EQ(ComplaintOf(R"([{"ph":"X","name":"a"}])"),
            R"(line 1: an event has no number "ts": {"name":"a","ph":"X"})");
  EXPECT_EQ(ComplaintOf(R"([{"ph":"X","ts":"x"}])"),
            R"(line 1: "ts" of an event is not a number: {"ph":"X","ts":"x"})");
  EXPECT_EQ(ComplaintOf(R"([{"ph":"X","ts":1e300}])"),
            R"(line 1: the number "ts" is more than 60 years: {"ph":"X","ts":1e+300})");
  EXPECT_EQ(ComplaintOf(R"([{"ph":"X","ts":1,"dur":-1}])"),
            R"(line 1: a slice ends before it begins: {"dur":-1,"ph":"X","ts":1})");
}

TEST(ChromeJson, RefusesValuesThatNestTooDeeply) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& event :
       {R"({"ph":"X","ts":1,"dur":1,"name":)" + deep + "}",
        R"({"ph":"X","ts":1,"dur":1,"pid":)" + deep + "}", R"({"ts":1,"dur":1,"ph":)" + deep + "}",
        R"({"ph":"X","ts":1,"dur":1,"args":{"task":)" + deep + "}}",
        R"({"ph":"X","ts":"refused","x":)" + deep + "}",
        R"({"ph":"s","id":1,"ts":1,"cat":)" + deep + "}"}) {
    EXPECT_EQ(ComplaintOf("[\n" + event + "]"),
              "the trace is not JSON text: line 2: more than 200 nested levels");
  }
  EXPECT_EQ(ComplaintOf(R"({"x":)" + deep + R"(,"traceEvents":[]})"),
            "the trace is not JSON text: line 1: more than 200 nested levels");
}

}  // namespace

}  // namespace schedbench::graph

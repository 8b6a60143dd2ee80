#include "graph/graph_file.hpp"

#include "graph/check.hpp"
#include "graph/import/import.hpp"
#include "platform/files/memory_file.hpp"
#include "tests/graph/script.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::graph {

namespace {

TaskGraph SmallGraph() {
  Script script(2);
  script.Spawn(script.Outside(), 0, 1).Spawn(script.Outside(), 5, trace::kFirstTask);
  script.Switch(0, 10, 1).Suspend(0, 30, 12345, 4).Switch(0, 70, 1);
  script.Switch(0, 80, 1, trace::StopReason::kYielded).End(0, 90);
  script.Switch(1, 20, trace::kFirstTask).Wake(1, 60, 1).End(1, 65);
  TaskGraph graph = script.Graph();
  graph.labels = {"", "name"};
  graph.tasks[1].label = 1;
  graph.facts = {{"source", "a test"}, {"config", "{}"}};
  graph.overhead.emplace()[1][2] = 17;
  return graph;
}

std::string MessageOf(const std::string& bytes) {
  try {
    Decode(bytes);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(GraphFile, ReadsWhatItHasWritten) {
  const TaskGraph graph = SmallGraph();
  ASSERT_EQ(Check(graph), "");
  EXPECT_EQ(Decode(Encode(graph)), graph);
}

TEST(GraphFile, RefusesEachTruncatedFile) {
  const std::string whole = Encode(SmallGraph());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(MessageOf(whole.substr(0, size)), "") << size;
  }
  EXPECT_NE(MessageOf(whole + "x"), "");
}

TEST(GraphFile, RefusesEachChangedByte) {
  const std::string whole = Encode(SmallGraph());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x21);
    EXPECT_NE(MessageOf(changed), "") << at;
  }
}

TEST(GraphFile, NamesTheVersionThatItCannotRead) {
  std::string newer = Encode(SmallGraph());
  newer[8] = 2;
  EXPECT_EQ(MessageOf(newer), "the task graph has version 2, and this program reads version 1");
}

TEST(GraphFile, IsFoundByItsFirstBytes) {
  const platform::MemoryFile file(Encode(SmallGraph()));
  EXPECT_EQ(ReadAnyGraph(file.Path()), SmallGraph());
  const platform::MemoryFile other("hello");
  try {
    ReadAnyGraph(other.Path());
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(other.Path() + ": this is none of: "))
        << error.what();
  }
}

}  // namespace

}  // namespace schedbench::graph

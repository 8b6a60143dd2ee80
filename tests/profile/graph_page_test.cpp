#include "profile/graph_page.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::profile::graph_page_test {

namespace {

using nlohmann::json;

Graph Small() {
  return {.name = "CPU",
          .about = "all",
          .unit = "ns",
          .stacks = {{"a;b;c", 30}, {"a;b", 5}, {"a;d", 7}, {"e", 1}},
          .sample_weight = 0,
          .before = std::nullopt};
}

json Parsed(const Graph& graph) {
  return json::parse(PageJson({.title = "t", .facts = {}, .graphs = {graph}}))["graphs"][0];
}

// The stack of a node, with its weight.
std::string Stack(const json& graph, std::size_t node) {
  std::string stack;
  for (std::int64_t at = static_cast<std::int64_t>(node); at >= 0; at = graph["parent"][at]) {
    const std::string name = graph["names"][graph["frame"][at].get<std::size_t>()];
    stack.insert(0, stack.empty() ? name : name + ";");
  }
  return stack + " " + std::to_string(graph["self"][node].get<std::uint64_t>());
}

TEST(PageJson, HasEachStackOnceWithItsOwnWeight) {
  const json graph = Parsed(Small());
  std::vector<std::string> stacks;
  for (std::size_t node = 0; node < graph["self"].size(); ++node) {
    stacks.push_back(Stack(graph, node));
    EXPECT_LT(graph["parent"][node].get<double>(), static_cast<std::int64_t>(node))
        << "a parent comes first";
  }
  EXPECT_EQ(stacks, (std::vector<std::string>{"a 0", "a;b 5", "a;b;c 30", "a;d 7", "e 1"}));
  EXPECT_EQ(graph["total"], 43);
  EXPECT_EQ(graph["names"].size(), 5u) << "each name once";
  EXPECT_FALSE(graph.contains("samples"));
  EXPECT_FALSE(graph.contains("before"));
}

TEST(PageJson, HasALabelForEachName) {
  Graph graph = Small();
  graph.stacks = {{"schedbench::f<int>;main", 1}};
  const json parsed = Parsed(graph);
  EXPECT_EQ(parsed["names"], json({"schedbench::f<int>", "main"}));
  EXPECT_EQ(parsed["labels"], json({"f", "main"}));
}

TEST(PageJson, PutsTheSameFunctionBelowDifferentCallersInDifferentNodes) {
  Graph graph = Small();
  graph.stacks = {{"a;x", 1}, {"b;x", 2}, {"x;x", 3}};
  const json parsed = Parsed(graph);
  EXPECT_EQ(parsed["names"].size(), 3u);
  EXPECT_EQ(parsed["frame"].size(), 6u);
}

TEST(PageJson, HasBothWeightsOfADifference) {
  Graph graph = Small();
  graph.stacks = {{"a;b", 3}, {"a;new", 4}};
  graph.before = FoldedStacks{{"a;b", 9}, {"a;gone", 2}};
  graph.sample_weight = 1;
  const json parsed = Parsed(graph);
  EXPECT_EQ(parsed["self"], (json{0, 3, 4, 0}));
  EXPECT_EQ(parsed["before"], (json{0, 9, 0, 2}));
  EXPECT_EQ(parsed["samples"], parsed["self"]);
  EXPECT_EQ(parsed["before_samples"], parsed["before"]);
  EXPECT_EQ(parsed["total"], 7);
  EXPECT_EQ(parsed["total_before"], 11);
}

TEST(PageJson, RoundsWeightsToWholeSamples) {
  Graph graph = Small();
  graph.stacks = {{"a", 1'001'001}, {"b", 2'002'002}, {"c", 3}};
  graph.sample_weight = 1'001'001;
  EXPECT_EQ(Parsed(graph)["samples"], (json{1, 2, 0}));
}

TEST(PageJson, OfNoStacksIsAGraphWithoutNodes) {
  Graph graph = Small();
  graph.stacks = {};
  const json parsed = Parsed(graph);
  EXPECT_EQ(parsed["total"], 0);
  EXPECT_EQ(parsed["frame"], json::array());
}

TEST(PageHtml, IsTheShellWithTheDataInItsPlace) {
  const std::string html =
      PageHtml("<html><!--schedbench-data--></html>", {.title = "t", .facts = {}, .graphs = {}});
  EXPECT_EQ(html,
            "<html><script type=\"application/json\" id=\"data\">"
            "{\"version\":1,\"title\":\"t\",\"facts\":[],\"graphs\":[]}\n</script></html>");
}

TEST(PageHtml, HasNothingThatEndsItsBlockOfData) {
  Graph graph = Small();
  graph.stacks = {{"fiber:</script><img src=x onerror=alert(1)>", 1}, {"<!--", 1}, {"\xff\"\\", 1}};
  const GraphPage page{.title = "</title>", .facts = {{"<", "</script>"}}, .graphs = {graph}};
  std::string html = PageHtml("<!--schedbench-data-->", page);
  html.erase(0, html.find('{'));
  html.erase(html.rfind("</script>"));
  EXPECT_EQ(html.find('<'), std::string::npos);
  const json parsed = json::parse(html);
  EXPECT_EQ(parsed["title"], "</title>");
  EXPECT_EQ(parsed["graphs"][0]["names"][1], "fiber:</script><img src=x onerror=alert(1)>");
}

}  // namespace

}  // namespace schedbench::profile::graph_page_test

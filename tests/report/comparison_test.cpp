#include "config/quote.hpp"
#include "harness/compare/analysis.hpp"
#include "report/comparison/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::report::comparison_test {

namespace {

constexpr registry::WorkloadEntry kWorkload{
    .name = "nothing", .doc = "", .operation = "thing", .schema = nullptr, .make = nullptr};

using Times = std::vector<std::uint64_t>;  // of a round, by block

// The first alternative takes 1000 ns for each round. `times`: of the others, by workload.
ComparisonResult ResultOf(const std::vector<std::string>& names,
                          const std::vector<std::vector<Times>>& times) {
  ComparisonResult result;
  for (const std::string& name : names) {
    result.plan.alternatives.push_back({.name = name, .command = {}, .scheduler = "s"});
  }
  for (std::size_t workload = 0; workload < times.size(); ++workload) {
    result.plan.workloads.push_back({.entry = &kWorkload, .name = std::to_string(workload)});
    auto& series = result.data.series.emplace_back(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t block = 0; block < times[workload].front().size(); ++block) {
        harness::RoundReply round;
        round.wall_ns = i == 0 ? 1000 : times[workload][i - 1][block];
        round.operations = 1000;
        series[i].blocks.push_back({round});
      }
    }
  }
  result.plan.metrics = {"throughput"};
  result.comparison = harness::Analyse(result.plan, result.data, {.of_all = 0.02});
  return result;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Matrix, CountsEachVerdictInItsConclusion) {
  const Times faster(20, 500);
  const Times slower(20, 2000);
  const Times same(20, 1000);
  Times unclear;
  Times slightly;
  for (std::uint64_t i = 0; i < 20; ++i) {
    unclear.push_back(i % 2 == 0 ? 500 : 2000);
    slightly.push_back(i % 2 == 0 ? 990 : 970);
  }
  const std::string text = RenderMatrix(ResultOf({"a", "b", "c", "d"}, {{faster, faster, faster},
                                                                        {slightly, faster, unclear},
                                                                        {unclear, faster, unclear},
                                                                        {slower, faster, same}}),
                                        {.width = 100});
  EXPECT_TRUE(Has(text, "1 +, 1 (+), 1 −, 1 ?\n")) << text;
  EXPECT_TRUE(Has(text, " better\n")) << text;
  EXPECT_TRUE(Has(text, "1 +, 1 =, 2 ?\n")) << text;
}

TEST(Matrix, ShortensNamesByCharactersAndKeepsThemDistinct) {
  const Times same(20, 1000);
  std::string ending;
  for (int i = 0; i < 40; ++i) {
    ending += "ä";
  }
  const std::string text = RenderMatrix(
      ResultOf({"fast", "first" + ending, "other" + ending}, {{same, same}}), {.width = 100});
  EXPECT_EQ(config::FirstInvalidByte(text), text.size()) << text;
  EXPECT_TRUE(Has(text, "\n  …t" + ending)) << text;
  EXPECT_TRUE(Has(text, "\n  …r" + ending)) << text;
}

TEST(Matrix, IsAsWideInColourAsWithout) {
  const Times same(20, 1000);
  const ComparisonResult result =
      ResultOf({"fast", "a_name_of_twenty_two_c"}, {{same}, {same}, {same}, {same}, {same}});
  for (std::size_t width = 40; width <= 100; ++width) {
    const std::string plain = RenderMatrix(result, {.width = width});
    const std::string colour = RenderMatrix(result, {.colour = true, .width = width});
    EXPECT_EQ(std::ranges::count(plain, '\n'), std::ranges::count(colour, '\n')) << width;
  }
}

}  // namespace

}  // namespace schedbench::report::comparison_test

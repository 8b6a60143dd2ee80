// Blocks and conclusions that an earlier version recorded: the same blocks still give the same
// conclusions, to the last bit.
#include "harness/compare/analysis.hpp"
#include "harness/sweep/analysis.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace schedbench::harness::recorded_test {

namespace {

using nlohmann::json;

const registry::WorkloadEntry kWork{
    .name = "work", .doc = "", .operation = "thing", .schema = nullptr, .make = nullptr};

json Recorded(const std::string& file) {
  std::ifstream in(SB_HARNESS_DATA "/" + file);
  return json::parse(in);
}

// Rounds are [wall_ns, cpu_ns, operations, peak_rss_bytes].
Series SeriesOf(const json& blocks) {
  Series series;
  for (const json& block : blocks) {
    auto& rounds = series.blocks.emplace_back();
    for (const json& round : block) {
      rounds.push_back({.wall_ns = round[0],
                        .cpu_ns = round[1],
                        .operations = round[2],
                        .peak_rss_bytes = round[3]});
    }
  }
  return series;
}

template <typename Plan>
Plan PlanOf(const json& recorded) {
  Plan plan;
  plan.blocks = recorded["blocks"];
  plan.seed = recorded["seed"];
  return plan;
}

json ValueOf(const std::optional<Spread>& spread) {
  return spread ? json({spread->median, spread->low, spread->high}) : json();
}

json ValueOf(const std::optional<stats::RatioEstimate>& ratio) {
  return ratio ? json({ratio->ratio, ratio->low, ratio->high}) : json();
}

TEST(Recorded, BlocksOfAComparisonGiveTheSameRatiosAndVerdicts) {
  const json recorded = Recorded("comparison.json");
  auto plan = PlanOf<ComparisonPlan>(recorded);
  for (const std::string name : recorded["alternatives"]) {
    plan.alternatives.push_back({.name = name, .command = {}, .scheduler = name});
  }
  plan.metrics = {"throughput", "cpu_per_operation"};
  ExperimentData data{.series = {}, .complete = true};
  for (const json& workload : recorded["series"]) {
    plan.workloads.push_back({.entry = &kWork});
    auto& group = data.series.emplace_back();
    for (const json& series : workload) {
      group.push_back(SeriesOf(series));
    }
  }
  const Comparison comparison = Analyse(plan, data, {.of_all = recorded["min_effect"]});
  std::size_t compared = 0;
  for (const ComparedRow& row : comparison.rows) {
    for (const json& then : recorded["rows"]) {
      if (then["workload"] == row.workload && then["alternative"] == row.alternative &&
          then["metric"] == row.metric->name) {
        ++compared;
        EXPECT_EQ(then["value"], ValueOf(row.spread)) << then;
        EXPECT_EQ(then["ratio"], ValueOf(row.ratio)) << then;
        EXPECT_EQ(then["verdict"], row.verdict ? json(ToText(*row.verdict)) : json()) << then;
      }
    }
  }
  EXPECT_EQ(compared, recorded["rows"].size());
}

TEST(Recorded, BlocksOfASweepGiveTheSameBestCellRatiosAndMeans) {
  const json recorded = Recorded("sweep.json");
  auto plan = PlanOf<SweepPlan>(recorded);
  plan.min_effect = recorded["min_effect"];
  plan.metric = ComparedMetrics(kWork, {"throughput"}).front();
  for (const std::size_t values : recorded["keys"]) {
    plan.keys.push_back({.name = fmt::format("key {}", plan.keys.size()), .values = {}});
    plan.keys.back().values.resize(values);
  }
  ExperimentData data{.series = {}, .complete = true};
  const std::size_t inner = recorded["keys"][1];
  for (const json& series : recorded["series"]) {
    const std::size_t cell = plan.cells.size();
    plan.cells.push_back({.place = {cell / inner, cell % inner},
                          .alternative = {.name = "fast", .command = {}, .scheduler = "fast"},
                          .workload = {.entry = &kWork}});
    data.series.push_back({SeriesOf(series)});
    data.Cell(cell).settled = recorded["cells"][cell]["settled"];
  }
  const SweepAnalysis analysis = AnalyseSweep(plan, data);
  EXPECT_EQ(json(*analysis.best), recorded["best"]);
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    const json& then = recorded["cells"][cell];
    const CellResult& now = analysis.cells[cell];
    EXPECT_EQ(then["value"], ValueOf(now.spread)) << cell;
    EXPECT_EQ(then["to_best"], now.to_best ? ValueOf(std::optional(now.to_best->estimate)) : json())
        << cell;
  }
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    for (std::size_t value = 0; value < plan.keys[key].values.size(); ++value) {
      EXPECT_EQ(recorded["means"][key][value], ValueOf(analysis.marginals[key][value].spread));
    }
  }
}

}  // namespace

}  // namespace schedbench::harness::recorded_test

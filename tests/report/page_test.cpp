#include "harness/sweep/scale.hpp"
#include "report/comparison/comparison.hpp"
#include "report/format.hpp"
#include "report/paper/paper_report.hpp"
#include "report/parts/chart_page.hpp"
#include "report/sweep/sweep_report.hpp"
#include "tests/report/example_result.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report::page_test {

namespace {

using nlohmann::json;

class Page : public testing::Test {
 protected:
  void SetUp() override {
    SCHEDBENCH_SKIP_IF(std::string(HasChartPage() ? "" : "built without pages"));
  }

  // The data inside the page.
  static json DataOf(const std::string& page) {
    constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";
    const std::size_t begin = page.find(kBegin) + kBegin.size();
    return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  static const json& Section(const json& data, std::string_view title) {
    for (const json& section : data["sections"]) {
      if (section["title"] == title) {
        return section;
      }
    }
    ADD_FAILURE() << "no section " << title << " in " << data["sections"];
    return data;
  }
};

// A cell for each number of workers from 1; its throughput in each block is that of `per_second`.
SweepResult CellsOf(SweepResult::Kind kind, const std::vector<double>& per_second,
                    std::uint64_t blocks = 20) {
  SweepResult result;
  result.kind = kind;
  result.machine.cpus_allowed = 2;
  result.plan.keys = {{.name = "scheduler", .values = {"<fast>"}},
                      {.name = "workers", .values = {}}};
  result.plan.metric = harness::ComparedMetrics(tests::kExampleWorkload, {"throughput"}).front();
  for (std::size_t i = 0; i < per_second.size(); ++i) {
    result.plan.keys[1].values.push_back(std::to_string(i + 1));
    result.plan.cells.push_back(
        {.place = {0, i},
         .alternative = {.name = "fast", .command = {}, .scheduler = "fast"},
         .workload = {.entry = &tests::kExampleWorkload},
         .workers = static_cast<std::uint32_t>(i + 1)});
    harness::Series series;
    for (std::uint64_t block = 0; per_second[i] > 0 && block < blocks; ++block) {
      series.blocks.push_back({{.wall_ns = static_cast<std::uint64_t>(1e12 / per_second[i]) + block,
                                .operations = 1000}});
    }
    series.failure = per_second[i] > 0 ? "" : "wrong answer";
    result.data.series.push_back({std::move(series)});
  }
  result.data.complete = true;
  result.analysis = harness::AnalyseSweep(result.plan, result.data);
  return result;
}

TEST_F(Page, OfARunHasItsRoundsMetricsAndWorkers) {
  harness::RunResult result = tests::ExampleResult(6, 6);
  result.command = {"schedbench", "run", "</script><b>"};
  const std::string page = PageText(DocumentOf(result, kPageStyle));
  EXPECT_EQ(page.find("</script><b>"), page.npos) << "it would end the block of data";
  const json data = DataOf(page);
  EXPECT_EQ(data["title"], "work on example");
  const json& rounds = Section(data, "Throughput of each round");
  EXPECT_EQ(rounds["chart"]["groups"][0]["values"], json(std::vector<double>(6, 1e5)));
  EXPECT_EQ(rounds["table"]["rows"][0][2], "100 k things/s");
  const json& tasks = Section(data, "Tasks of each worker")["chart"];
  EXPECT_EQ(tasks["bars"][0]["values"], json({0, 5400, 0, 0, 0}));
  EXPECT_EQ(tasks["bars"][1]["values"], json({0, 0, 0, 600, 0}));
  const json& wakeup = Section(data, "Latencies")["chart"]["lines"][0];
  EXPECT_EQ(wakeup["name"], "wakeup");
  EXPECT_EQ(wakeup["points"][0][0], 50);
}

TEST_F(Page, OfARunSplitsTheTimeOfAWorkerAsTheTerminalDoes) {
  harness::RunResult result = tests::ExampleResult(6, 6);
  // The round takes 60 ms. Worker 0 is parked for longer than its search leaves, although it has
  // run tasks: its times mean nothing.
  const std::vector<std::pair<const char*, std::vector<std::uint64_t>>> times{
      {"search_ns", {15'000'000, 0}},
      {"park_ns", {45'600'000, 30'000'000}},
      {"preempted_ns", {6'000'000, 0}}};
  for (const auto& [metric, of_workers] : times) {
    const std::size_t i = metrics::MetricIndex(metric);
    result.workers[0][i] = of_workers[0];
    result.workers[1][i] = of_workers[1];
    result.total[i] = of_workers[0] + of_workers[1];
  }
  const json section =
      Section(DataOf(PageText(DocumentOf(result, kPageStyle))), "Time of each worker");
  EXPECT_EQ(section["table"]["rows"][0], json({"worker 0", "—", "—", "—", "—"}));
  EXPECT_EQ(section["table"]["rows"][1], json({"worker 1", "50 %", "0 %", "50 %", "0 %"}));
  const json& chart = section["chart"];
  EXPECT_EQ(chart["parts"], json({"run", "search", "idle", "preempted"}));
  EXPECT_EQ(chart["bars"][0]["values"], json({0.0, 0.0, 0.0, 0}));
  EXPECT_EQ(chart["bars"][2]["values"], json({0.5, 0.0, 0.5, 0}));
  const std::string terminal = WorkerTable(result, {.unicode = false});
  for (const char* const row : {"-       -     -          -", "50 %     0 %  50 %        0 %"}) {
    EXPECT_NE(terminal.find(row), std::string::npos) << terminal;
  }
}

TEST_F(Page, OfAComparisonHasTheRatiosWithTheirVerdicts) {
  ComparisonResult result;
  for (const char* const name : {"a", "b"}) {
    result.plan.alternatives.push_back({.name = name, .command = {}, .scheduler = "s"});
  }
  for (const char* const name : {"work", "other"}) {
    result.plan.workloads.push_back({.entry = &tests::kExampleWorkload, .name = name});
    auto& series = result.data.series.emplace_back(2);
    for (std::uint64_t block = 0; block < 20; ++block) {
      series[0].blocks.push_back({{.wall_ns = 1000 + block, .operations = 1000}});
      series[1].blocks.push_back({{.wall_ns = 2000 + block, .operations = 1000}});
    }
  }
  result.data.complete = true;
  result.plan.metrics = {"throughput"};
  result.comparison = harness::Analyse(result.plan, result.data, {.of_all = 0.02});
  const json data = DataOf(PageText(DocumentOf(result, kPageStyle)));
  EXPECT_EQ(data["title"], "b against a");
  EXPECT_EQ(Section(data, "Conclusion")["sentences"][0], "b against a: worse 2");
  const json& overview = Section(data, "Throughput under all workloads")["chart"];
  EXPECT_EQ(overview["reference"], "1 = a");
  ASSERT_EQ(overview["groups"].size(), 2U);
  const json& row = overview["groups"][0]["rows"][0];
  EXPECT_EQ(row["verdict"], "worse");
  EXPECT_NEAR(row["value"].get<double>(), 0.502, 0.001);
  EXPECT_LE(row["low"], row["value"]);
  EXPECT_EQ(
      Section(data, "Throughput of each block of work")["chart"]["groups"][1]["values"].size(),
      20U);
  EXPECT_EQ(Section(data, "Metrics of other")["table"]["rows"][1][4], "0.502");
}

TEST_F(Page, OfNumbersOfWorkersHasTheCurveItsLawsAndTheCpus) {
  SweepResult result = CellsOf(SweepResult::Kind::kScale, {1e6, 1.8e6, 1.9e6});
  result.curves = harness::ScaleCurves(result.plan, result.data, result.analysis, 2);
  const json data = DataOf(PageText(DocumentOf(result, kPageStyle)));
  const json& section = Section(data, "Scaling of <fast>");
  const json& chart = section["chart"];
  EXPECT_EQ(chart["value"]["unit"], "things/s");
  EXPECT_NEAR(chart["lines"][0]["points"][1][1].get<double>(), 1.8e6, 1e5);
  EXPECT_EQ(chart["border"]["x"], 2);
  EXPECT_EQ(chart["fits"][0]["name"], "Amdahl's law");
  EXPECT_EQ(chart["ideal"]["points"][1][0], 3);
  EXPECT_NE(section["sentences"][0].get<std::string>().find("serial share"), std::string::npos);
  EXPECT_EQ(section["table"]["rows"][2][5], "oversubscribed");
}

TEST_F(Page, OfASweepHasTheBestCellAndMarksTheFailedOne) {
  SweepResult result = CellsOf(SweepResult::Kind::kSweep, {1e6, 3e6, 0});
  result.pair = {0, 1};
  const json data = DataOf(PageText(DocumentOf(result, kPageStyle)));
  const json& cells = Section(data, "All cells by throughput");
  EXPECT_EQ(cells["table"]["rows"][0][1], "2") << "the best comes first";
  const json& rows = cells["chart"]["groups"][0]["rows"];
  EXPECT_EQ(rows[0]["note"], "best");
  EXPECT_EQ(rows[1]["verdict"], "worse");
  EXPECT_EQ(rows[2]["note"], "failed");
  const json& heat = Section(data, "Throughput by scheduler and workers")["chart"];
  EXPECT_TRUE(heat["cells"][0][2].is_null());
  EXPECT_NE(Section(data, "Without a result")["sentences"].dump().find("wrong answer"),
            std::string::npos);
}

TEST_F(Page, OfASweepHasRatiosWithoutIntervalsInChartAndTable) {
  const auto cells_of = [](std::uint64_t blocks) {
    const json data = DataOf(
        PageText(DocumentOf(CellsOf(SweepResult::Kind::kSweep, {1e6, 2e6}, blocks), kPageStyle)));
    return Section(data, "All cells by throughput");
  };
  const json few = cells_of(2);
  EXPECT_EQ(few["about"], "Each cell as a ratio to the best one.");
  EXPECT_EQ(few["table"]["rows"][0][4], "1");
  EXPECT_EQ(few["table"]["rows"][1][4], "0.5, no interval");
  EXPECT_NEAR(few["chart"]["groups"][0]["rows"][1]["value"].get<double>(), 0.5, 1e-3);
  const json many = cells_of(20);
  EXPECT_EQ(many["table"]["rows"][1][4], "0.5 (0.5 to 0.5)");
  EXPECT_NE(many["about"].get<std::string>().find("All intervals hold at once"), std::string::npos);
}

TEST_F(Page, OfThePaperHasAChartForEachBenchmarkWithTheTimesOfTheDocument) {
  const PaperResult result{.rows = {{.name = "BM_A<algo::GlobalFIFO>/4",
                                     .wall_ns = {2e6, 1e6, 3e6},
                                     .published_ns = 5e6},
                                    {.name = "BM_A<Other>/4", .failure = "wrong answer"},
                                    {.name = "BM_B<Other>/8", .wall_ns = {4e6}}},
                           .machine = {},
                           .command = {}};
  const json data = DataOf(PageText(DocumentOf(result, kPageStyle)));
  ASSERT_EQ(data["sections"].size(), 2U);
  const json& bars = Section(data, "BM_A/4")["chart"]["bars"];
  EXPECT_EQ(bars[0]["name"], "algo::GlobalFIFO");
  EXPECT_EQ(bars[0]["value"], 2e6);
  EXPECT_EQ(bars[0]["high"], 3e6);
  EXPECT_EQ(bars[0]["reference"], 5e6);
  EXPECT_EQ(bars[1]["note"], "wrong answer");
  EXPECT_FALSE(Section(data, "BM_B/8")["chart"]["bars"][0].contains("reference"));
}

TEST_F(Page, OfAnAuditSaysWhetherItIsWholeAndWhatDisturbedIt) {
  AuditResult result;
  result.workload = &tests::kExampleWorkload;
  result.schedulers = {{.name = "fast", .split = {}, .samples = 1}};
  EXPECT_EQ(DataOf(PageText(DocumentOf(result, kPageStyle)))["notes"].dump().find("partial"),
            std::string::npos);
  result.complete = false;
  result.perturbed = "2 hogs";
  const json notes = DataOf(PageText(DocumentOf(result, kPageStyle)))["notes"];
  EXPECT_EQ(notes[0][0], "partial: the measurement ended early");
  EXPECT_EQ(notes[1][0], "disturbed on purpose: 2 hogs");
}

TEST(PercentileOf, ReadsTheNameOfAMetric) {
  const auto of = [](std::string_view name, std::string_view unit = "ns") {
    return PercentileOf({name, unit, registry::Better::kLower, ""});
  };
  EXPECT_EQ(of("wakeup_p99_9")->time, "wakeup");
  EXPECT_EQ(of("wakeup_p99_9")->percentile, 99.9);
  EXPECT_EQ(of("run_max")->percentile, 100);
  EXPECT_FALSE(of("cpu_per_operation"));
  EXPECT_FALSE(of("peak_memory"));
  EXPECT_FALSE(of("size_p50", "B"));
}

}  // namespace

}  // namespace schedbench::report::page_test

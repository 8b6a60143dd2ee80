#include "harness/metg/metg.hpp"

#include "report/metg/metg_report.hpp"
#include "report/parts/chart_page.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report::metg_test {

namespace {

constexpr std::array kMetrics{
    registry::Metric{harness::kEfficiencyMetric, "share", registry::Better::kHigher, ""}};
const registry::WorkloadEntry kTasks{.name = "tasks",
                                     .doc = "",
                                     .operation = "task",
                                     .schema = nullptr,
                                     .make = nullptr,
                                     .metrics = kMetrics};

harness::MetgPoint PointOf(std::uint64_t grain, bool fine, std::size_t blocks, double efficiency) {
  harness::MetgPoint point{.grain_ns = grain, .fine = fine, .series = {}};
  for (std::size_t block = 0; block < blocks; ++block) {
    // A spread with a width.
    point.series.blocks.push_back(
        {{.metrics = {{"efficiency", efficiency + 1e-3 * static_cast<double>(block)}}}});
  }
  return point;
}

MetgResult ResultOf(std::vector<std::vector<harness::MetgPoint>> curves) {
  MetgResult result;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    result.plan.alternatives.push_back(
        {.name = std::to_string(i), .command = {}, .scheduler = "fast"});
  }
  result.plan.workloads = {{.entry = &kTasks, .name = "tasks"}};
  result.plan.grains = {16, 64, 256};
  result.data.curves = std::move(curves);
  result.data.complete = true;
  result.curves = harness::AnalyseMetg(result.plan, result.data);
  return result;
}

TEST(MetgReport, CallsABoundABoundAndSaysWhatToDo) {
  const MetgResult result = ResultOf({{PointOf(100, true, 8, 0.6), PointOf(200, true, 8, 0.8)},
                                      {PointOf(100, true, 8, 0.2), PointOf(200, true, 8, 0.4)}});
  const Document document = DocumentOf(result, {});
  const auto& rows = document.sections.front().table.rows;
  EXPECT_EQ(rows[0][1].shown, "at most 166 ns");
  EXPECT_EQ(rows[1][1].shown, "at least 496 ns");
  EXPECT_EQ(rows[0].back().shown, "unclear");
  bool has_remedy = false;
  for (const Note& note : document.notes) {
    has_remedy =
        has_remedy || note.remedy == "schedbench doctor; then --blocks 40 or wider --grains";
  }
  EXPECT_TRUE(has_remedy);
}

TEST(MetgReport, DrawsTheGrainsNearTheResultOrElseThoseOfTheSearch) {
  SCHEDBENCH_SKIP_IF(std::string(HasChartPage() ? "" : "built without pages"));
  harness::MetgPoint failed{.grain_ns = 16, .fine = false, .series = {}};
  failed.series.failure = "wrong answer";
  const MetgResult result = ResultOf(
      {{PointOf(16, false, 2, 0.1), PointOf(64, false, 2, 0.6), PointOf(48, false, 3, 0.7),
        PointOf(40, true, 8, 0.4), PointOf(56, true, 8, 0.55)},
       {failed},
       {PointOf(16, false, 2, 0.1), PointOf(64, false, 2, 0.2), PointOf(256, false, 2, 0.3)}});
  const std::string page = PageText(DocumentOf(result, kPageStyle));
  constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  const auto data =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  const auto& lines = data["sections"][1]["chart"]["lines"];
  ASSERT_EQ(lines.size(), 2U) << "the failed one has no points";
  ASSERT_EQ(lines[0]["points"].size(), 2U);
  EXPECT_EQ(lines[0]["points"][0][0], 40);
  EXPECT_EQ(lines[0]["points"][0].size(), 4U) << "8 blocks have an interval";
  ASSERT_EQ(lines[1]["points"].size(), 3U);
  EXPECT_EQ(lines[1]["points"][0].size(), 2U) << "2 blocks have a range";
  const auto& bars = data["sections"][0]["chart"]["bars"];
  EXPECT_EQ(bars[1]["note"], "failed");
  EXPECT_EQ(bars[2]["note"], "above 852 ns, not reached");
}

}  // namespace

}  // namespace schedbench::report::metg_test

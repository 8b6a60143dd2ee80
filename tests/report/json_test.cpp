#include "report/format.hpp"
#include "tests/report/example_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>

namespace schedbench::report::json_test {

namespace {

using nlohmann::json;
using tests::ExampleResult;

json Rendered(const harness::RunResult& result) {
  return json::parse(RenderJson(result));
}

TEST(Json, HoldsTheMetricsOfTheResult) {
  const json result = Rendered(ExampleResult(6, 6));
  EXPECT_EQ(result["rounds"].size(), 6);
  EXPECT_EQ(result["rounds"][0]["throughput"], 100'000);
  EXPECT_EQ(result["summary"]["throughput"]["median"], 100'000);
  EXPECT_EQ(result["workers"][1]["steals"], 150);
  EXPECT_EQ(result["total"]["tasks_run"], 6000);
  EXPECT_EQ(result["pool"]["global_lock_waits"], 120);
  EXPECT_EQ(result["external_submissions"], 6);
  EXPECT_DOUBLE_EQ(result["imbalance"], 1.8);
}

TEST(Json, OfNoRoundsHasAllKeysAndNulls) {
  const json result = Rendered(ExampleResult(0, 6, "interrupted"));
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["rounds"], json::array());
  EXPECT_EQ(result["workers"], json::array());
  EXPECT_TRUE(result["imbalance"].is_null());
  EXPECT_TRUE(result["summary"]["throughput"]["median"].is_null());
  EXPECT_EQ(result["summary"]["throughput"]["reason"], "no round was finished");
}

TEST(Json, WritesNullForWhatIsNotANumber) {
  harness::RunResult result = ExampleResult(1, 1);
  result.rounds[0].metrics[0] = std::numeric_limits<double>::quiet_NaN();
  result.rounds[0].metrics[1] = std::numeric_limits<double>::infinity();
  const json round = Rendered(result)["rounds"][0];
  EXPECT_TRUE(round["throughput"].is_null());
  EXPECT_TRUE(round["cpu_per_operation"].is_null());
}

TEST(Formats, AreFoundByExtension) {
  EXPECT_EQ(FormatOfFile("a/b.json")->name, "json");
  EXPECT_EQ(FormatOfFile("a/b.txt")->name, "table");
  EXPECT_EQ(FormatOfFile("")->name, "table");
  EXPECT_EQ(FormatOfFile("a.b/c")->name, "table") << "no extension";
  EXPECT_EQ(FormatOfFile("b.csv")->name, "csv");
  EXPECT_EQ(FormatOfFile("b.md")->name, "markdown");
  EXPECT_EQ(FormatOfFile("b.html")->name, "html");
  EXPECT_EQ(FormatOfFile("b.xml"), nullptr);
}

}  // namespace

}  // namespace schedbench::report::json_test

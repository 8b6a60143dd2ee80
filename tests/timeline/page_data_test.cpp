#include "tests/timeline/script.hpp"
#include "timeline/exports.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::timeline::page_data_test {

namespace {

using nlohmann::json;

json Written(const Timeline& timeline, std::string_view title = "burst on fast",
             const std::vector<std::string>& summary = {"one", "two"}) {
  std::string text;
  WritePageData(timeline,
                {.title = std::string(title), .facts = {{"command", "<x>"}}, .summary = summary},
                [&](std::string_view part) { text += part; });
  return json::parse(text);
}

TEST(PageData, HasWhatItsSchemaSays) {
  Script script = Example();
  script.Overwritten(1, 3);
  const json page = Written(Example().Built(), "a \"title\"");
  EXPECT_EQ(page.at("version"), 1);
  EXPECT_EQ(page.at("title"), "a \"title\"");
  EXPECT_EQ(page.at("facts"), json::parse(R"([["command","<x>"]])"));
  EXPECT_EQ(page.at("start_ns"), 0);
  EXPECT_EQ(page.at("end_ns"), Script::kEnd);
  EXPECT_EQ(page.at("overwritten"), 0);
  EXPECT_EQ(page.at("tracks"), json({"worker 0", "worker 1"}));
  EXPECT_EQ(page.at("names"),
            json({"search", "park", "main", "child", "spawn", "global take 4", "offload 7"}));
  EXPECT_EQ(page.at("summary"), json({"one", "two"}));
  EXPECT_EQ(Written(script.Built()).at("overwritten"), 3);
}

TEST(PageData, HasSlicesInColumns) {
  const json slices = Written(Example().Built()).at("slices");
  EXPECT_EQ(slices.at("track"), json({0, 0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(slices.at("start"), json({1000, 10000, 31000, 35100, 53000, 0, 5100, 6200, 51500}));
  EXPECT_EQ(slices.at("duration"),
            json({9000, 20000, 4000, 16900, 17000, 5000, 1000, 44800, 48500}));
  EXPECT_EQ(slices.at("name"), json({2, 3, 0, 1, 2, 1, 0, 3, 1}));
  EXPECT_EQ(slices.at("kind"), json({0, 0, 1, 2, 0, 2, 1, 0, 2}));
}

TEST(PageData, HasArrowsInstantsAndCounters) {
  const json page = Written(Example().Built());
  EXPECT_EQ(page.at("arrows"), json({{"from_track", {0, 0, 0, 1}},
                                     {"from", {6000, 3000, 2000, 50000}},
                                     {"to_track", {1, 1, 0, 0}},
                                     {"to", {6000, 6200, 10000, 53000}},
                                     {"kind", {1, 0, 0, 0}}}));
  EXPECT_EQ(
      page.at("instants"),
      json({{"track", {0, 0, 0, 0}}, {"at", {2000, 3000, 52500, 60000}}, {"name", {4, 4, 5, 6}}}));
  EXPECT_EQ(
      page.at("counters"),
      json::array(
          {{{"name", "local queue 0"}, {"track", 0}, {"at", {2500, 3500}}, {"value", {1, 2}}}}));
}

TEST(PageData, BeginsAtZeroWhereverTheWindowIs) {
  const json page = Written(Example().Built(50'000));
  EXPECT_EQ(page.at("end_ns"), 50'000);
  EXPECT_EQ(page.at("slices").at("start").at(0), 0);
}

TEST(PageData, OfNothingHasEmptyColumns) {
  const json page = Written(Script(0).Built(), "", {});
  EXPECT_EQ(page.at("slices").at("start"), json::array());
  EXPECT_EQ(page.at("counters"), json::array());
  EXPECT_EQ(page.at("summary"), json::array());
}

}  // namespace

}  // namespace schedbench::timeline::page_data_test

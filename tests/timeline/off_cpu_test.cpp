#include "tests/timeline/script.hpp"
#include "timeline/exports.hpp"
#include "timeline/summary.hpp"
#include "timeline/timeline.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::timeline::off_cpu_test {

namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

// "0 1000-2000 preempted" for each time without a CPU.
Texts Lines(const Timeline& timeline) {
  Texts lines;
  for (const OffCpuTime& off : timeline.off_cpu) {
    lines.push_back(fmt::format("{} {}-{} {}", off.track, off.start - Script::kBegin,
                                off.end - Script::kBegin,
                                off.kind == OffCpuKind::kPreempted ? "preempted" : "blocked"));
  }
  return lines;
}

// Worker 0: runs from 1,000 to 30,000, searches until 35,000, is parked from 35,100 to 52,000, and
// runs from 53,000 to 70,000.
TEST(OffCpu, IsShownInTheSliceThatItInterrupts) {
  Script script = Example();
  script.OffCpu(0, 2000, 9000, true)
      .OffCpu(0, 31'500, 34'000, true)
      .OffCpu(0, 60'000, 61'000, false);
  EXPECT_EQ(Lines(script.Built()),
            (Texts{"0 2000-9000 preempted", "0 31500-34000 preempted", "0 60000-61000 blocked"}));
}

TEST(OffCpu, OfAParkedWorkerIsItsSleep) {
  Script script = Example();
  script.OffCpu(0, 35'200, 51'900, false);
  EXPECT_EQ(Lines(script.Built()), Texts{});
  script = Example();
  script.OffCpu(0, 35'200, 36'000, true);  // on its way to sleep
  EXPECT_EQ(Lines(script.Built()), Texts{"0 35200-36000 preempted"});
}

TEST(OffCpu, EndsWithItsSliceWhereTheClocksDiffer) {
  Script script = Example();
  script.OffCpu(0, 900, 9000, true).OffCpu(0, 15'000, 30'050, true);
  EXPECT_EQ(Lines(script.Built()), (Texts{"0 1000-9000 preempted", "0 15000-30000 preempted"}));
}

TEST(OffCpu, OutsideOfAllSlicesIsNotShown) {
  Script script = Example();
  script.OffCpu(0, 100, 900, true).OffCpu(0, 80'000, 90'000, false);
  EXPECT_EQ(Lines(script.Built()), Texts{});
}

TEST(OffCpu, IsCutWithTheTimeline) {
  Script script = Example();
  script.OffCpu(0, 2000, 9000, true).OffCpu(0, 55'000, 65'000, true);
  EXPECT_EQ(Lines(script.Built(40'000)), Texts{"0 60000-65000 preempted"});
}

TEST(OffCpu, IsSummedUpForEachWorker) {
  Script script = Example();
  script.OffCpu(0, 2000, 9000, true)
      .OffCpu(0, 60'000, 61'000, false)
      .OffCpu(1, 20'000, 30'000, true);
  const Summary summary = Summarize(script.Built(), script.Recorded());
  EXPECT_TRUE(summary.knows_off_cpu);
  EXPECT_EQ(summary.workers[0].preempted_ns, 7000u);
  EXPECT_EQ(summary.workers[0].blocked_ns, 1000u);
  EXPECT_EQ(summary.workers[1].preempted_ns, 10'000u);
  EXPECT_FALSE(Summarize(Example().Built(), Example().Recorded()).knows_off_cpu);
}

TEST(OffCpu, IsASliceInsideAnotherInChromeJson) {
  Script script = Example();
  script.OffCpu(0, 10'500, 30'000, true);
  std::string text;
  WriteChromeJson(script.Built(), [&text](std::string_view part) { text += part; });
  const json events = json::parse(text).at("traceEvents");
  const auto of = [&](double ts) {
    return *std::ranges::find_if(events, [&](const json& event) {
      return event.at("ph") == "X" && event.at("tid") == 0 && event.at("ts") == ts;
    });
  };
  const json outer = of(10);
  const json inner = of(10.5);
  EXPECT_EQ(inner.at("name"), "preempted");
  EXPECT_LT(inner.at("ts").get<double>() + inner.at("dur").get<double>(),
            outer.at("ts").get<double>() + outer.at("dur").get<double>());
}

TEST(OffCpu, IsInThePagesData) {
  Script script = Example();
  script.OffCpu(0, 2000, 9000, true).OffCpu(0, 60'000, 61'000, false);
  std::string text;
  WritePageData(script.Built(), {.title = "t", .facts = {}, .summary = {}},
                [&text](std::string_view part) { text += part; });
  EXPECT_EQ(json::parse(text).at("off_cpu"), json({{"track", {0, 0}},
                                                   {"start", {2000, 60'000}},
                                                   {"duration", {7000, 1000}},
                                                   {"kind", {0, 1}}}));
}

}  // namespace

}  // namespace schedbench::timeline::off_cpu_test

#include "tests/timeline/script.hpp"
#include "timeline/exports.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace schedbench::timeline::chrome_json_test {

namespace {

using nlohmann::json;

json Events(const Timeline& timeline) {
  std::string text;
  WriteChromeJson(timeline, [&](std::string_view part) { text += part; });
  return json::parse(text).at("traceEvents");
}

std::vector<json> OfPhase(const json& events, std::string_view phase) {
  std::vector<json> found;
  for (const json& event : events) {
    if (event.at("ph") == phase) {
      found.push_back(event);
    }
  }
  return found;
}

TEST(ChromeJson, NamesTheProcessAndTheWorkers) {
  const json events = Events(Example().Built());
  std::map<std::string, std::vector<json>> values;
  for (const json& event : OfPhase(events, "M")) {
    values[event.at("name")].push_back(*event.at("args").begin());
  }
  EXPECT_EQ(values["process_name"], (std::vector<json>{"schedbench"}));
  EXPECT_EQ(values["thread_name"], (std::vector<json>{"worker 0", "worker 1"}));
  EXPECT_EQ(values["thread_sort_index"], (std::vector<json>{0, 1}));
}

TEST(ChromeJson, HasSlicesInMicrosecondsWithoutArguments) {
  const std::vector<json> slices = OfPhase(Events(Example().Built()), "X");
  ASSERT_EQ(slices.size(), 9u);
  EXPECT_EQ(
      slices[3],
      json(
          {{"ph", "X"}, {"pid", 1}, {"tid", 0}, {"ts", 35.1}, {"dur", 16.8999}, {"name", "park"}}));
}

TEST(ChromeJson, KeepsEachNanosecond) {
  Script script(1);
  script.Switch(0, 1001, 1).Switch(0, 3010, 0, trace::StopReason::kEnded);
  const std::vector<json> slices = OfPhase(Events(script.Built()), "X");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].at("ts"), 1.001);
  EXPECT_EQ(slices[0].at("dur"), 2.0089);
  EXPECT_EQ(slices[0].at("id"), 1);
}

// Slices that touch, of all lengths, in a recording of up to an hour.
Timeline TouchingSlices(std::uint64_t seed) {
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  std::mt19937_64 random(seed);
  Timeline timeline;
  timeline.start_ns = 7;
  timeline.tracks = {{.worker = 0}, {.worker = 1}};
  timeline.names = {"a", "b"};
  for (std::uint32_t track = 0; track < 2; ++track) {
    std::uint64_t at = timeline.start_ns + random() % kHour;
    for (std::uint32_t i = 0; i < 500; ++i) {
      const std::uint64_t length = random() % (std::uint64_t{1} << (random() % 32));
      timeline.slices.push_back(
          {.start = at, .end = at + length, .track = track, .fiber = 1, .name = i % 3 / 2});
      at += length;
    }
    timeline.end_ns = std::max(timeline.end_ns, at);
  }
  return timeline;
}

// Readers add `ts` and `dur` as doubles: speedscope nests a slice in the one before it where the
// sum is one bit too large.
TEST(ChromeJson, HasSlicesWhoseSumsInDoublesEndBeforeTheNextBegins) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    std::map<int, double> end_of;
    for (const json& slice : OfPhase(Events(TouchingSlices(seed)), "X")) {
      const double start = slice.at("ts");
      const double length = slice.at("dur");
      double& end = end_of.try_emplace(slice.at("tid"), -1).first->second;
      ASSERT_LT(end, start) << "seed " << seed << ": " << slice;
      end = start + length;
      ASSERT_LT(start, end) << "seed " << seed << ": " << slice;
    }
  }
}

TEST(ChromeJson, HasNoSlicesWithoutLength) {
  Timeline timeline;
  timeline.end_ns = 9;
  timeline.tracks = {{.worker = 0}};
  timeline.names = {"a"};
  timeline.slices = {{.start = 5, .end = 5, .name = 0}, {.start = 5, .end = 9, .name = 0}};
  const std::vector<json> slices = OfPhase(Events(timeline), "X");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].at("dur"), 0.0039);
}

TEST(ChromeJson, HasBothEndsOfEachArrowInsideSlices) {
  const json events = Events(Example().Built());
  const std::vector<json> slices = OfPhase(events, "X");
  const std::vector<json> begins = OfPhase(events, "s");
  const std::vector<json> ends = OfPhase(events, "f");
  ASSERT_EQ(begins.size(), 3u);
  ASSERT_EQ(ends.size(), 3u);
  for (std::size_t i = 0; i < begins.size(); ++i) {
    EXPECT_EQ(begins[i].at("id"), ends[i].at("id"));
    EXPECT_EQ(begins[i].at("cat"), ends[i].at("cat"));
    EXPECT_EQ(begins[i].at("name"), ends[i].at("name"));
    EXPECT_EQ(ends[i].at("bp"), "e");
    EXPECT_LE(begins[i].at("ts").get<double>(), ends[i].at("ts").get<double>());
    for (const json& end : {begins[i], ends[i]}) {
      const double time = end.at("ts");
      EXPECT_TRUE(std::ranges::any_of(slices, [&](const json& slice) {
        const double start = slice.at("ts");
        const double length = slice.at("dur");
        return slice.at("tid") == end.at("tid") && start <= time && time <= start + length;
      }));
    }
  }
}

TEST(ChromeJson, HasNoArrowFromAWakeOutsideOfAllSlices) {
  Script script(2);
  script.Switch(0, 10, 1).Switch(0, 20, 0, trace::StopReason::kSuspended).Switch(0, 90, 1);
  script.Add(1, 40, trace::EventKind::kWake, 1);
  const json events = Events(script.Built());
  EXPECT_TRUE(OfPhase(events, "s").empty());
  EXPECT_TRUE(OfPhase(events, "f").empty());
}

TEST(ChromeJson, HasMovesOfTasksAsInstantsAndQueuesAsCounters) {
  const json events = Events(Example().Built());
  std::map<std::string, int> tasks;
  for (const json& event : OfPhase(events, "i")) {
    EXPECT_EQ(event.at("s"), "t");
    tasks[event.at("name")] = event.at("args").at("tasks");
  }
  EXPECT_EQ(tasks, (std::map<std::string, int>{{"steal", 1}, {"offload", 7}, {"global take", 4}}));
  const std::vector<json> counters = OfPhase(events, "C");
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[1].at("name"), "local queue 0");
  EXPECT_EQ(counters[1].at("args").at("tasks"), 2);
}

TEST(ChromeJson, TakesAnyName) {
  Script script(1);
  script.Name(1, "a\"b\\c</script>\xff\n").Switch(0, 10, 1);
  const std::vector<json> slices = OfPhase(Events(script.Built()), "X");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].at("name"), script.Recorded().DisplayName(1));
}

TEST(ChromeJson, OfNothingIsADocument) {
  EXPECT_EQ(Events(Script(0).Built()).size(), 1u);
}

}  // namespace

}  // namespace schedbench::timeline::chrome_json_test

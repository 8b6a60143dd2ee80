#include "tests/timeline/perfetto_reader.hpp"
#include "tests/timeline/script.hpp"
#include "timeline/exports.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace schedbench::timeline::perfetto_test {

namespace {

using trace::EventKind;
using Texts = std::vector<std::string>;
using Tracks = std::map<std::uint64_t, PerfettoTrack>;

std::string Written(const Timeline& timeline) {
  std::string trace;
  WritePerfetto(timeline, [&](std::string_view part) { trace += part; });
  return trace;
}

Tracks Read(const Timeline& timeline) {
  return ReadPerfetto(Written(timeline));
}

const PerfettoTrack& Named(const Tracks& tracks, std::string_view name) {
  return std::ranges::find_if(tracks, [&](const auto& entry) { return entry.second.name == name; })
      ->second;
}

// "1000 begin main" for each event.
Texts Lines(const PerfettoTrack& track) {
  constexpr std::string_view kTypes[] = {"?", "begin ", "end", "instant ", "counter "};
  Texts lines;
  for (const PerfettoEvent& event : track.events) {
    lines.push_back(fmt::format("{} {}{}", event.timestamp, kTypes[event.type], event.name));
  }
  return lines;
}

// Each slice that begins ends before the next begins, in the order of time; each flow that begins
// ends once.
void ExpectWellFormed(const Tracks& tracks) {
  std::map<std::uint64_t, int> begun;
  std::map<std::uint64_t, int> ended;
  for (const auto& [uuid, track] : tracks) {
    std::uint64_t last = 0;
    int depth = 0;
    for (const PerfettoEvent& event : track.events) {
      if (!track.is_counter) {
        ASSERT_GE(event.timestamp, last);
        last = event.timestamp;
      }
      depth += event.type == 1 ? 1 : event.type == 2 ? -1 : 0;
      ASSERT_GE(depth, 0);
      ASSERT_LE(depth, 1);
      ASSERT_EQ(event.type == 4, track.is_counter);
      ASSERT_EQ(event.name.empty(), event.type == 2 || event.type == 4);
      for (const std::uint64_t flow : event.flows) {
        ++begun[flow];
      }
      for (const std::uint64_t flow : event.ended_flows) {
        ++ended[flow];
      }
    }
    ASSERT_EQ(depth, 0);
  }
  ASSERT_EQ(begun, ended);
  for (const auto& [flow, count] : begun) {
    ASSERT_NE(flow, 0u);
    ASSERT_EQ(count, 1);
  }
}

TEST(Perfetto, HasAProcessWithAThreadForEachWorkerAndATrackForEachQueue) {
  const Tracks tracks = Read(Example().Built());
  ASSERT_EQ(tracks.size(), 4u);
  const PerfettoTrack& process = Named(tracks, "schedbench");
  EXPECT_TRUE(process.pid.has_value());
  EXPECT_FALSE(process.tid.has_value());
  const PerfettoTrack& first = Named(tracks, "worker 0");
  const PerfettoTrack& second = Named(tracks, "worker 1");
  EXPECT_EQ(first.pid, process.pid);
  EXPECT_NE(first.tid, second.tid);
  EXPECT_NE(first.tid, process.pid);  // it would be the main thread
  const PerfettoTrack& queue = Named(tracks, "local queue 0");
  EXPECT_TRUE(queue.is_counter);
  EXPECT_TRUE(tracks.contains(queue.parent));
}

TEST(Perfetto, HasSlicesAndInstantsOfEachWorkerFromTheStartOfTheTimeline) {
  const Tracks tracks = Read(Example().Built());
  EXPECT_EQ(Lines(Named(tracks, "worker 0")),
            (Texts{"1000 begin main", "2000 instant spawn", "3000 instant spawn",
                   "6000 instant stolen from", "10000 end", "10000 begin child", "30000 end",
                   "31000 begin search", "35000 end", "35100 begin park", "52000 end",
                   "52500 instant global take", "53000 begin main", "60000 instant offload",
                   "70000 end"}));
}

TEST(Perfetto, HasTheValuesOfQueues) {
  const Tracks tracks = Read(Example().Built());
  const PerfettoTrack& queue = Named(tracks, "local queue 0");
  ASSERT_EQ(queue.events.size(), 2u);
  EXPECT_EQ(queue.events[0].timestamp, 2500u);
  EXPECT_EQ(queue.events[0].value, 1);
  EXPECT_EQ(queue.events[1].value, 2);
}

TEST(Perfetto, SaysHowManyTasksWereMoved) {
  const Tracks tracks = Read(Example().Built());
  const auto& events = Named(tracks, "worker 0").events;
  const auto offload = std::ranges::find(events, "offload", &PerfettoEvent::name);
  ASSERT_NE(offload, events.end());
  EXPECT_EQ(offload->annotations, (std::map<std::string, std::uint64_t>{{"tasks", 7}}));
}

TEST(Perfetto, LeadsFlowsFromWakesToRunsAndFromVictimsToThieves) {
  const Tracks tracks = Read(Example().Built());
  std::map<std::uint64_t, Texts> flows;
  for (const auto& [uuid, track] : tracks) {
    for (const PerfettoEvent& event : track.events) {
      for (const std::uint64_t flow : event.flows) {
        flows[flow].insert(flows[flow].begin(), fmt::format("{} {}", track.name, event.name));
      }
      for (const std::uint64_t flow : event.ended_flows) {
        flows[flow].push_back(fmt::format("{} {}", track.name, event.name));
      }
    }
  }
  std::set<Texts> ends;
  for (const auto& [flow, texts] : flows) {
    ends.insert(texts);
  }
  EXPECT_EQ(ends, (std::set<Texts>{{"worker 0 spawn", "worker 0 child"},
                                   {"worker 0 spawn", "worker 1 child"},
                                   {"worker 0 stolen from", "worker 1 steal"},
                                   {"worker 1 wake", "worker 0 main"}}));
}

TEST(Perfetto, IsWellFormedForAnyEvents) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    Script script(3);
    script.Name(1, "a;\"b").Name(2, "\xff");
    std::vector<std::uint64_t> now(3, 0);
    for (int i = 0; i < 300; ++i) {
      const std::size_t worker = random() % 3;
      now[worker] += random() % 300;
      script.Add(worker, now[worker], static_cast<EventKind>(random() % 11), random() % 6,
                 random() % 4);
    }
    const Timeline timeline = script.Built(random() % 2 == 0 ? kWholeRecording : random() % 90'000);
    ExpectWellFormed(Read(timeline));
  }
}

TEST(Perfetto, CountsTheEventsThatItWrites) {
  std::uint64_t events = 0;
  const Timeline timeline = Example().Built();
  const std::uint64_t counted = WritePerfetto(timeline, [](std::string_view) {});
  for (const auto& [uuid, track] : Read(timeline)) {
    events += track.events.size();
  }
  EXPECT_EQ(counted, events);
}

TEST(Perfetto, TakesFewBytesForAnEventAlsoWhereEachRunIsWoken) {
  Script script(1);
  script.Name(1, "ping").Name(2, "pong");
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint32_t fiber = 1 + i % 2;
    script.Switch(0, std::uint64_t{100} * i, fiber, trace::StopReason::kSuspended);
    script.Add(0, std::uint64_t{100} * i + 50, EventKind::kWake, 3 - fiber);
  }
  std::uint64_t bytes = 0;
  const std::uint64_t events =
      WritePerfetto(script.Built(), [&](std::string_view part) { bytes += part.size(); });
  EXPECT_LE(bytes, 25 * events);
}

TEST(Perfetto, GivesOutLongTracesInParts) {
  Script script(1);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    script.Switch(0, std::uint64_t{4} * i, 1 + i % 2);
  }
  std::size_t parts = 0;
  std::string trace;
  WritePerfetto(script.Built(), [&](std::string_view part) {
    ++parts;
    trace += part;
  });
  EXPECT_GT(parts, 3u);
  ExpectWellFormed(ReadPerfetto(trace));
}

TEST(Perfetto, OfNothingHasAProcessAlone) {
  EXPECT_EQ(Read(Script(0).Built()).size(), 1u);
}

}  // namespace

}  // namespace schedbench::timeline::perfetto_test

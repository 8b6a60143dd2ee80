#include "tests/timeline/script.hpp"
#include "timeline/timeline.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace schedbench::timeline::build_test {

namespace {

using trace::EventKind;
using trace::StopReason;
using Texts = std::vector<std::string>;

// "main 1000..10000" for each slice of a track, times from the start of the recording.
Texts Slices(const Timeline& timeline, std::uint32_t track) {
  Texts texts;
  for (const Slice& slice : timeline.slices) {
    if (slice.track == track) {
      texts.push_back(fmt::format("{} {}..{}", timeline.names[slice.name],
                                  slice.start - Script::kBegin, slice.end - Script::kBegin));
    }
  }
  return texts;
}

// "wake 0@2000 -> 1@3000".
Texts Arrows(const Timeline& timeline) {
  Texts texts;
  for (const Arrow& arrow : timeline.arrows) {
    texts.push_back(fmt::format(
        "{} {}@{} -> {}@{}", arrow.kind == ArrowKind::kWake ? "wake" : "steal", arrow.from_track,
        arrow.from - Script::kBegin, arrow.to_track, arrow.to - Script::kBegin));
  }
  return texts;
}

Texts ReadyTimes(const Timeline& timeline) {
  Texts texts;
  for (const ReadyTime& ready : timeline.ready) {
    texts.push_back(fmt::format("{} {}..{}", ready.fiber, ready.start - Script::kBegin,
                                ready.end - Script::kBegin));
  }
  return texts;
}

TEST(BuildTimeline, ShowsWhatEachWorkerDidFromWhenToWhen) {
  const Timeline timeline = Example().Built();
  EXPECT_EQ(Slices(timeline, 0),
            (Texts{"main 1000..10000", "child 10000..30000", "search 31000..35000",
                   "park 35100..52000", "main 53000..70000"}));
  EXPECT_EQ(Slices(timeline, 1), (Texts{"park 0..5000", "search 5100..6100", "child 6200..51000",
                                        "park 51500..100000"}));
}

TEST(BuildTimeline, HasEachNameOnce) {
  const Timeline timeline = Example().Built();
  EXPECT_EQ(timeline.names, (Texts{"search", "park", "main", "child"}));
}

TEST(BuildTimeline, LeadsArrowsFromWakesAndSpawnsToTheNextRunAndFromVictimsToThieves) {
  const Timeline timeline = Example().Built();
  EXPECT_EQ(Arrows(timeline), (Texts{"steal 0@6000 -> 1@6000", "wake 0@3000 -> 1@6200",
                                     "wake 0@2000 -> 0@10000", "wake 1@50000 -> 0@53000"}));
}

TEST(BuildTimeline, KnowsWhenFibersWereReady) {
  EXPECT_EQ(ReadyTimes(Example().Built()),
            (Texts{"3 3000..6200", "2 2000..10000", "1 50000..53000"}));
}

TEST(BuildTimeline, RecordsWaitsAndTheFiberThatEndedThem) {
  const Timeline timeline = Example().Built();
  ASSERT_EQ(timeline.waits.size(), 1u);
  const Wait& wait = timeline.waits[0];
  EXPECT_EQ(wait.fiber, 1u);
  EXPECT_EQ(wait.start, Script::kBegin + 10'000);
  EXPECT_EQ(wait.end, Script::kBegin + 53'000);
  ASSERT_NE(wait.wake, kNone);
  const Wake& wake = timeline.wakes[wait.wake];
  EXPECT_EQ(wake.waker, 3u);
  EXPECT_EQ(wake.woken, 1u);
  ASSERT_NE(wake.cause, kNone);
  EXPECT_EQ(timeline.wakes[wake.cause].waker, 1u);
  EXPECT_EQ(timeline.wakes[wake.cause].woken, 3u);
}

TEST(BuildTimeline, CollectsTheLengthsOfEachQueue) {
  const Timeline timeline = Example().Built();
  ASSERT_EQ(timeline.counters.size(), 1u);
  EXPECT_EQ(timeline.counters[0].track, 0u);
  EXPECT_EQ(timeline.counters[0].length, (std::vector<std::uint32_t>{1, 2}));
}

TEST(BuildTimeline, HasOneGlobalQueueForAllWorkers) {
  constexpr auto kGlobal = static_cast<std::uint16_t>(trace::QueueKind::kGlobal);
  Script script(2);
  script.Add(1, 100, EventKind::kQueueLength, 5, kGlobal)
      .Add(0, 200, EventKind::kQueueLength, 3, kGlobal)
      .Add(1, 300, EventKind::kQueueLength, 0, kGlobal);
  const Timeline timeline = script.Built();
  ASSERT_EQ(timeline.counters.size(), 1u);
  EXPECT_EQ(timeline.counters[0].track, 0u);
  EXPECT_EQ(timeline.counters[0].length, (std::vector<std::uint32_t>{5, 3, 0}));
}

TEST(BuildTimeline, LetsAFiberThatYieldedBeReadyAtOnce) {
  Script script(1);
  script.Switch(0, 10, 1)
      .Switch(0, 20, 2, StopReason::kYielded)
      .Switch(0, 50, 1, StopReason::kEnded);
  const Timeline timeline = script.Built();
  EXPECT_EQ(ReadyTimes(timeline), Texts{"1 20..50"});
  EXPECT_TRUE(timeline.waits.empty());
}

TEST(BuildTimeline, TakesAWakeOfAFiberThatStillRunsForItsNextRun) {
  Script script(2);
  script.Switch(0, 1000, 1).Switch(0, 50'000, 0, StopReason::kSuspended).Switch(0, 60'000, 1);
  script.Switch(1, 900, 2).Add(1, 40'000, EventKind::kWake, 1);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Arrows(timeline), Texts{"wake 1@40000 -> 0@60000"});
  EXPECT_EQ(ReadyTimes(timeline), Texts{"1 50000..60000"});
}

TEST(BuildTimeline, TakesAWakeThatIsRecordedJustAfterTheRunForItsCause) {
  Script script(2);
  script.Switch(0, 1000, 1).Switch(0, 5000, 0, StopReason::kSuspended).Switch(0, 20'000, 1);
  script.Switch(1, 900, 2).Add(1, 20'090, EventKind::kWake, 1);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Arrows(timeline), Texts{"wake 1@20000 -> 0@20000"});
  ASSERT_EQ(timeline.waits.size(), 1u);
  ASSERT_NE(timeline.waits[0].wake, kNone);
  EXPECT_EQ(timeline.wakes[timeline.waits[0].wake].waker, 2u);
  EXPECT_TRUE(timeline.ready.empty());
}

TEST(BuildTimeline, LetsASecondWakeDoNothing) {
  Script script(2);
  script.Switch(0, 10, 1).Switch(0, 20, 0, StopReason::kSuspended).Switch(0, 90, 1);
  script.Add(1, 40, EventKind::kWake, 1).Add(1, 50, EventKind::kWake, 1);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Arrows(timeline), Texts{"wake 1@40 -> 0@90"});
  EXPECT_EQ(timeline.instants.size(), 2u);
}

TEST(BuildTimeline, DoesNotLoseAFiberThatRunsElsewhereBeforeItsStopIsRecorded) {
  Script script(2);
  script.Switch(0, 10, 1).Switch(0, 100, 0, StopReason::kSuspended);
  script.Switch(1, 95, 1).Switch(1, 200, 0, StopReason::kEnded);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Slices(timeline, 0), Texts{"fiber 1 10..100"});
  EXPECT_EQ(Slices(timeline, 1), Texts{"fiber 1 95..200"});
  EXPECT_TRUE(timeline.ready.empty());
}

TEST(BuildTimeline, ContinuesASearchAfterAParkInsideIt) {
  Script script(1);
  script.Add(0, 10, EventKind::kSearchBegin)
      .Add(0, 20, EventKind::kPark)
      .Add(0, 30, EventKind::kUnpark)
      .Add(0, 40, EventKind::kSearchEnd)
      .Switch(0, 50, 1);
  EXPECT_EQ(Slices(script.Built(), 0),
            (Texts{"search 10..20", "park 20..30", "search 30..40", "fiber 1 50..100000"}));
}

TEST(BuildTimeline, TakesWhatIsBetweenTwoParksForASearchWhoseBeginWasNotSeen) {
  Script script(2);
  script.Add(0, 10, EventKind::kPark)
      .Add(0, 20, EventKind::kUnpark)
      .Add(0, 30, EventKind::kPark)
      .Add(0, 40, EventKind::kUnpark)
      .Add(0, 50, EventKind::kSearchEnd, 0, 1)
      .Switch(0, 60, 1);
  script.Add(1, 10, EventKind::kPark).Add(1, 20, EventKind::kUnpark).Switch(1, 30, 2);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Slices(timeline, 0), (Texts{"park 10..20", "search 20..30", "park 30..40",
                                        "search 40..50", "fiber 1 60..100000"}));
  EXPECT_EQ(Slices(timeline, 1), (Texts{"park 10..20", "fiber 2 30..100000"}));
}

TEST(BuildTimeline, KnowsWhatEndsFirstToHaveLastedSinceTheBeginning) {
  Script script(2);
  script.Add(0, 500, EventKind::kUnpark);
  script.Add(1, 700, EventKind::kSearchEnd);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Slices(timeline, 0), Texts{"park 0..500"});
  EXPECT_EQ(Slices(timeline, 1), Texts{"search 0..700"});
}

TEST(BuildTimeline, BeginsWhereNoRingHasAGap) {
  Script script = Example();
  script.Overwritten(1, 77);
  Script late(2);
  late.Switch(0, 10, 1).Switch(0, 80'000, 0, StopReason::kEnded);
  late.Add(1, 60'000, EventKind::kUnpark).Switch(1, 61'000, 2).Overwritten(1, 5);
  const Timeline timeline = late.Built();
  EXPECT_EQ(timeline.start_ns, Script::kBegin + 60'000);
  EXPECT_EQ(timeline.overwritten, 5u);
  EXPECT_EQ(timeline.events, 3u);
  EXPECT_EQ(Slices(timeline, 0), Texts{"fiber 1 60000..80000"});
  EXPECT_EQ(Slices(timeline, 1), Texts{"fiber 2 61000..100000"});
  EXPECT_EQ(script.Built().overwritten, 77u);
}

TEST(BuildTimeline, ForgetsTheFibersThatWereReadyOrWaitedBeforeAGap) {
  Script script(2);
  // What became of 7 and 8 may be among what is gone of worker 1.
  script.Add(0, 10, EventKind::kSpawn, 7)
      .Switch(0, 20, 8)
      .Switch(0, 30, 9, StopReason::kSuspended)
      .Switch(0, 70'000, 8, StopReason::kEnded);
  script.Switch(1, 60'000, 0).Overwritten(1, 5);
  const Timeline timeline = script.Built();
  EXPECT_EQ(Slices(timeline, 0), (Texts{"fiber 9 60000..70000", "fiber 8 70000..100000"}));
  EXPECT_TRUE(timeline.ready.empty());
  EXPECT_TRUE(timeline.waits.empty());
}

TEST(BuildTimeline, MissesNothingThatIsOverwrittenBeforeTheWindow) {
  Script script(1);
  script.Switch(0, 50'000, 1).Switch(0, 80'000, 2, StopReason::kEnded).Overwritten(0, 5);
  EXPECT_EQ(script.Built(30'000).overwritten, 0u);
  EXPECT_EQ(script.Built(60'000).overwritten, 5u);
  EXPECT_EQ(script.Built(60'000).start_ns, Script::kBegin + 50'000);
}

TEST(BuildTimeline, ShowsWhatComesFromOutsideOnATrackWithoutSlices) {
  Script script(1);
  script.External(100, EventKind::kSpawn, 1).Switch(0, 300, 1);
  const Timeline timeline = script.Built();
  ASSERT_EQ(timeline.tracks.size(), 2u);
  EXPECT_EQ(timeline.tracks[1].worker, kExternal);
  EXPECT_EQ(timeline.WorkerCount(), 1u);
  EXPECT_EQ(Arrows(timeline), Texts{"wake 1@100 -> 0@300"});
  EXPECT_EQ(ReadyTimes(timeline), Texts{"1 100..300"});
}

TEST(BuildTimeline, EndsWithTheLastEventOnRequest) {
  Script script(1);
  script.Switch(0, 20'000, 1).Switch(0, 30'000, 0, StopReason::kSuspended);
  script.Add(0, 31'000, EventKind::kPark);
  const Timeline timeline = BuildTimeline(script.Recorded(), 20'000, EndsAt::kLastEvent);
  EXPECT_EQ(timeline.start_ns, Script::kBegin + 11'000);
  EXPECT_EQ(timeline.end_ns, Script::kBegin + 31'000);
  EXPECT_EQ(Slices(timeline, 0), (Texts{"fiber 1 20000..30000", "park 31000..31000"}));
}

TEST(CutToEvents, KeepsTheLastOnes) {
  Script script(2);
  for (std::uint64_t i = 1; i <= 100; ++i) {
    script.Add(i % 2, i * 10, EventKind::kOffload, 0, 1);
  }
  const Recording recording = script.Overwritten(0, 5).Recorded();
  Timeline timeline = BuildTimeline(recording);
  EXPECT_EQ(timeline.overwritten, 5u);
  CutToEvents(timeline, recording, 30);
  EXPECT_EQ(timeline.overwritten, 0u) << "it is cut for another reason";
  EXPECT_EQ(timeline.events, 30u);
  EXPECT_EQ(timeline.instants.size(), 30u);
  EXPECT_EQ(timeline.start_ns, Script::kBegin + 710);
  CutToEvents(timeline, recording, 30);
  EXPECT_EQ(timeline.start_ns, Script::kBegin + 710);
}

TEST(BuildTimeline, OfNothingIsEmpty) {
  const Timeline none = Script(0).Built();
  EXPECT_TRUE(none.tracks.empty());
  EXPECT_EQ(none.LengthNs(), Script::kEnd);
  const Timeline silent = Script(2).Built();
  EXPECT_EQ(silent.tracks.size(), 2u);
  EXPECT_TRUE(silent.slices.empty());
}

TEST(BuildTimeline, OfAnyEventsHasSlicesThatDoNotOverlapAndArrowsThatGoForward) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Script script(3);
    std::vector<std::uint64_t> now(3, 0);
    for (int i = 0; i < 300; ++i) {
      const std::size_t worker = random() % 3;
      now[worker] += random() % 300;
      script.Add(worker, now[worker], static_cast<EventKind>(random() % 11), random() % 6,
                 random() % 4);
    }
    const Timeline timeline = script.Built(random() % 2 == 0 ? kWholeRecording : random() % 90'000);
    std::vector<std::uint64_t> ends(3, timeline.start_ns);
    std::vector<int> ended(timeline.arrows.size(), 0);
    std::uint32_t track = 0;
    for (const Slice& slice : timeline.slices) {
      ASSERT_GE(slice.track, track);
      track = slice.track;
      ASSERT_GE(slice.start, ends[slice.track]);
      ASSERT_GE(slice.end, slice.start);
      ASSERT_LE(slice.end, timeline.end_ns);
      ends[slice.track] = slice.end;
      if (slice.arrow != kNone) {
        ++ended.at(slice.arrow);
        ASSERT_EQ(timeline.arrows[slice.arrow].to, slice.start);
        ASSERT_EQ(timeline.arrows[slice.arrow].to_track, slice.track);
      }
    }
    std::vector<int> begun(timeline.arrows.size(), 0);
    for (const Instant& instant : timeline.instants) {
      if (instant.arrow != kNone) {
        ++(instant.kind == InstantKind::kSteal ? ended : begun).at(instant.arrow);
      }
    }
    ASSERT_TRUE(std::ranges::all_of(ended, [](int n) { return n == 1; }));
    ASSERT_TRUE(std::ranges::all_of(begun, [](int n) { return n == 1; }));
    for (const Arrow& arrow : timeline.arrows) {
      ASSERT_LE(arrow.from, arrow.to);
      ASSERT_GE(arrow.from, timeline.start_ns);
    }
    for (const ReadyTime& ready : timeline.ready) {
      ASSERT_LE(ready.start, ready.end);
    }
  }
}

}  // namespace

}  // namespace schedbench::timeline::build_test

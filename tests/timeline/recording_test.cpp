#include "timeline/recording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::timeline::recording_test {

namespace {

using trace::EventKind;

// A tick is half a nanosecond.
Recording Empty() {
  return Recording(trace::TickMap({.ticks = 2000, .ns = 500}, {.ticks = 4000, .ns = 1500}));
}

TEST(Recording, TurnsTicksIntoNanoseconds) {
  Recording recording = Empty();
  recording.AddWorker(
      3, {.events = {{2000, 1, 0, EventKind::kSpawn, 3}, {3000, 1, 9, EventKind::kSteal, 3}},
          .overwritten = 12});
  ASSERT_EQ(recording.Workers().size(), 1u);
  const WorkerEvents& worker = recording.Workers()[0];
  EXPECT_EQ(worker.worker, 3u);
  EXPECT_EQ(worker.overwritten, 12u);
  ASSERT_EQ(worker.events.size(), 2u);
  EXPECT_EQ(worker.events[0].ns, 500u);
  EXPECT_EQ(worker.events[1].ns, 1000u);
  EXPECT_EQ(worker.events[1].kind, EventKind::kSteal);
  EXPECT_EQ(worker.events[1].arg, 9);
  EXPECT_EQ(recording.StartNs(), 500u);
  EXPECT_EQ(recording.StopNs(), 1500u);
}

TEST(Recording, CorrectsTimesThatGoBackAndCountsThem) {
  Recording recording = Empty();
  recording.AddWorker(0, {.events = {{3000, 0, 0, EventKind::kPark, 0},
                                     {2900, 0, 0, EventKind::kUnpark, 0},
                                     {2950, 0, 0, EventKind::kPark, 0},
                                     {3100, 0, 0, EventKind::kUnpark, 0}}});
  const WorkerEvents& worker = recording.Workers()[0];
  EXPECT_EQ(worker.timestamps_corrected, 2u);
  std::vector<std::uint64_t> times;
  for (const TimedEvent& event : worker.events) {
    times.push_back(event.ns);
  }
  EXPECT_EQ(times, (std::vector<std::uint64_t>{1000, 1000, 1000, 1050}));
}

TEST(Recording, MakesNamesSafeAndNumbersFibersThatHaveNone) {
  Recording recording = Empty();
  recording.NameFiber(1, "read;write\n\"x\"");
  recording.NameFiber(2, "");
  recording.NameFiber(3, "\xff");
  EXPECT_EQ(recording.DisplayName(1), "read:write\\n`x`");
  EXPECT_EQ(recording.DisplayName(2), "fiber 2");
  EXPECT_EQ(recording.DisplayName(3), "\\xff");
}

TEST(Recording, CallsAFiberByTheLabelOfItsSpawnOrOfItsRun) {
  Recording recording = Empty();
  recording.SetLabels({"", "client", "main.cpp:7;"});
  const std::uint16_t run = trace::SwitchArg(trace::StopReason::kYielded, 2);
  recording.AddWorker(0, {.events = {{2000, 5, 1, EventKind::kSpawn, 0},
                                     {2100, 6, run, EventKind::kSwitch, 0},
                                     {2200, 7, 9, EventKind::kSpawn, 0}}});
  EXPECT_EQ(recording.DisplayName(5), "client");
  EXPECT_EQ(recording.FullName(5), "client (fiber 5)");
  EXPECT_EQ(recording.DisplayName(6), "main.cpp:7:");
  EXPECT_EQ(recording.DisplayName(7), "fiber 7") << "an unknown label";
  EXPECT_EQ(recording.FullName(8), "fiber 8");
  EXPECT_EQ(recording.Workers()[0].events[0].arg, 0);
  EXPECT_EQ(recording.Workers()[0].events[1].arg,
            static_cast<std::uint16_t>(trace::StopReason::kYielded));
}

TEST(Recording, CallsTasksThatAreNotFibersTasks) {
  EXPECT_EQ(Empty().DisplayName(trace::kFirstTask + 3), "task");
  EXPECT_EQ(Empty().FullName(trace::kFirstTask + 3), "task 3");
}

TEST(Collect, TakesInWhatASessionHasRecorded) {
  trace::Tracer first;
  trace::Tracer second;
  trace::Session session(std::array{&first, &second}, 2);
  for (std::uint32_t i = 0; i < 9; ++i) {
    second.Record(EventKind::kWake, i);
  }
  const std::uint64_t start = Collect(session).StartNs();
  session.Stop();
  const Recording recording = Collect(session);
  EXPECT_EQ(recording.StartNs(), start);
  ASSERT_EQ(recording.Workers().size(), 2u);
  EXPECT_TRUE(recording.Workers()[0].events.empty());
  const WorkerEvents& worker = recording.Workers()[1];
  EXPECT_EQ(worker.worker, 1u);
  ASSERT_EQ(worker.events.size(), 3u);
  EXPECT_EQ(worker.overwritten, 6u);
  EXPECT_EQ(worker.events[2].fiber, 8u);
  EXPECT_GE(worker.events[0].ns + 1000, recording.StartNs());
  EXPECT_LE(worker.events[2].ns, recording.StopNs() + 1000);
}

TEST(Collect, PutsWhatCameFromOutsideBehindTheWorkersAndLeavesItOutWhereThereIsNothing) {
  trace::Tracer worker;
  trace::SharedTracer external;
  trace::Session session(std::array{&worker}, 4, &external);
  EXPECT_EQ(Collect(session).Workers().size(), 1u);
  external.With([](trace::Tracer& tracer) {
    tracer.Record(EventKind::kSpawn, 4, tracer.Log()->LabelOfName("root"));
  });
  const Recording recording = Collect(session);
  ASSERT_EQ(recording.Workers().size(), 2u);
  EXPECT_EQ(recording.Workers()[1].worker, kExternal);
  EXPECT_EQ(recording.DisplayName(4), "root");
}

}  // namespace

}  // namespace schedbench::timeline::recording_test

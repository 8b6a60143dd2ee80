// Workers that record what they do while another thread reads: what it sees is always a timeline.
#include "tests/support/stress.hpp"
#include "timeline/exports.hpp"
#include "timeline/recording.hpp"
#include "timeline/timeline.hpp"
#include "trace/session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <thread>

namespace schedbench::timeline::live_stress {

namespace {

using trace::EventKind;
using trace::StopReason;

// Runs two fibers in turn, which wake those of the other worker, until `done`, and at least once.
void Work(std::uint32_t worker, trace::Tracer& tracer, const std::atomic<bool>& done) {
  const std::uint32_t first = 1 + 2 * worker;
  const std::uint32_t other = 3 - 2 * worker;
  std::uint32_t i = 0;
  do {
    tracer.Record(EventKind::kSwitch, first + i % 2,
                  static_cast<std::uint32_t>(StopReason::kSuspended));
    tracer.Record(EventKind::kWake, other + i % 2);
    tracer.Record(EventKind::kQueueLength, i % 7);
    ++i;
  } while (!done);
}

// Returns how many events it has.
std::uint64_t CheckedTimeline(const trace::Session& session) {
  const Timeline timeline = BuildTimeline(Collect(session));
  std::array<std::uint64_t, 2> ends{timeline.start_ns, timeline.start_ns};
  for (const Slice& slice : timeline.slices) {
    EXPECT_GE(slice.start, ends.at(slice.track));
    EXPECT_GE(slice.end, slice.start);
    EXPECT_EQ((slice.fiber - 1) / 2, slice.track);
    ends.at(slice.track) = slice.end;
  }
  return WritePerfetto(timeline, [](std::string_view) {});
}

TEST(TimelineStress, CanBeTakenWhileTheWorkersRun) {
  std::array<trace::Tracer, 2> tracers;
  trace::Session session(std::array{&tracers[0], &tracers[1]}, 8);
  std::atomic<bool> done{false};
  std::thread first(Work, 0, std::ref(tracers[0]), std::cref(done));
  std::thread second(Work, 1, std::ref(tracers[1]), std::cref(done));
  for (const tests::StressTime time; !time.IsOver() && !HasFailure();) {
    // It may be empty: the workers can overwrite all events while they are read.
    CheckedTimeline(session);
  }
  done = true;
  first.join();
  second.join();
  EXPECT_GT(CheckedTimeline(session), 0U);
}

}  // namespace

}  // namespace schedbench::timeline::live_stress

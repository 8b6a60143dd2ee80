#include "trace/event_ring.hpp"

#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace schedbench::trace::event_ring_test {

namespace {

std::vector<std::uint32_t> Fibers(const RingContent& content) {
  std::vector<std::uint32_t> fibers;
  for (const Event& event : content.events) {
    fibers.push_back(event.fiber);
  }
  return fibers;
}

TEST(EventRing, ReturnsEachEventAsItWasRecorded) {
  EventRing ring(7, 3);
  ring.RecordAt(100, EventKind::kSwitch, 0xFFFFFFFF, 2);
  ring.RecordAt(~std::uint64_t{0}, EventKind::kQueueLength, 5, 1);
  const RingContent content = ring.ReadStopped();
  EXPECT_EQ(content.overwritten, 0u);
  EXPECT_EQ(content.events,
            (std::vector<Event>{{100, 0xFFFFFFFF, 2, EventKind::kSwitch, 7},
                                {~std::uint64_t{0}, 5, 1, EventKind::kQueueLength, 7}}));
}

TEST(EventRing, IsEmptyAtFirst) {
  const EventRing ring(0);
  EXPECT_EQ(ring.Capacity(), 65536u);
  EXPECT_TRUE(ring.ReadStopped().events.empty());
  EXPECT_TRUE(ring.ReadLive().events.empty());
}

TEST(EventRing, KeepsTheLastEventsAndCountsThoseThatItOverwrote) {
  for (std::uint32_t recorded = 0; recorded < 40; ++recorded) {
    EventRing ring(0, 3);
    for (std::uint32_t i = 0; i < recorded; ++i) {
      ring.RecordAt(i, EventKind::kWake, i);
    }
    const RingContent content = ring.ReadStopped();
    ASSERT_EQ(content.events.size(), std::min(recorded, 8u));
    ASSERT_EQ(content.overwritten, recorded - content.events.size());
    for (std::size_t i = 0; i < content.events.size(); ++i) {
      ASSERT_EQ(content.events[i].fiber, content.overwritten + i);
    }
  }
}

TEST(EventRing, ReadLiveLacksTheEventThatTheWriterMayBeReplacing) {
  EventRing ring(0, 2);
  for (std::uint32_t i = 0; i < 3; ++i) {
    ring.RecordAt(i, EventKind::kWake, i);
  }
  EXPECT_EQ(Fibers(ring.ReadLive()), (std::vector<std::uint32_t>{0, 1, 2}));
  ring.RecordAt(3, EventKind::kWake, 3);
  EXPECT_EQ(Fibers(ring.ReadLive()), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(ring.ReadLive().overwritten, 1u);
  EXPECT_EQ(Fibers(ring.ReadStopped()), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(EventRing, KeepsNothingThatWasDiscardedAndCountsItAsOverwrittenNeither) {
  for (std::uint32_t before = 0; before < 12; ++before) {
    for (std::uint32_t after = 0; after < 12; ++after) {
      EventRing ring(0, 2);
      for (std::uint32_t i = 0; i < before; ++i) {
        ring.RecordAt(i, EventKind::kWake, 100);
      }
      ring.Discard();
      for (std::uint32_t i = 0; i < after; ++i) {
        ring.RecordAt(i, EventKind::kWake, i);
      }
      const RingContent content = ring.ReadStopped();
      EXPECT_EQ(content.events.size(), std::min(after, 4u));
      EXPECT_EQ(content.overwritten, after - std::min(after, 4u));
      for (std::size_t i = 0; i < content.events.size(); ++i) {
        EXPECT_EQ(content.events[i].fiber, content.overwritten + i);
      }
      const RingContent live = ring.ReadLive();
      EXPECT_EQ(live.overwritten + live.events.size(), after);
      EXPECT_GE(live.events.size(), std::min(after, 3u));
    }
  }
}

TEST(EventRing, SaysTheMostThatFitsWhereAnArgumentIsLarger) {
  EventRing ring(0, 3);
  ring.RecordAt(0, EventKind::kOffload, 0, 65535);
  ring.RecordAt(0, EventKind::kOffload, 0, 65536);
  const RingContent content = ring.ReadStopped();
  EXPECT_EQ(content.events[0].arg, 65535);
  EXPECT_EQ(content.events[1].arg, 65535);
}

TEST(EventRing, RecordsTheTimeAtWhichItWasCalled) {
  EventRing ring(0, 6);
  const std::uint64_t before = platform::TickClock::Now();
  for (int i = 0; i < 50; ++i) {
    ring.Record(EventKind::kPark);
  }
  const std::uint64_t after = platform::TickClock::Now();
  std::uint64_t last = before;
  for (const Event& event : ring.ReadStopped().events) {
    EXPECT_GE(event.tsc, last);
    last = event.tsc;
  }
  EXPECT_LE(last, after);
}

}  // namespace

}  // namespace schedbench::trace::event_ring_test

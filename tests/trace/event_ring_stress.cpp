#include "tests/support/stress.hpp"
#include "trace/event_ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace schedbench::trace::event_ring_stress {

namespace {

// Each word contains the number of its event.
void Record(EventRing& ring, std::uint64_t number) {
  ring.RecordAt(number, EventKind::kWake, static_cast<std::uint32_t>(number));
}

void ExpectWhole(const RingContent& content) {
  for (std::size_t i = 0; i < content.events.size(); ++i) {
    ASSERT_EQ(content.events[i].tsc, content.overwritten + i);
    ASSERT_EQ(content.events[i].fiber, static_cast<std::uint32_t>(content.overwritten + i));
    ASSERT_EQ(content.events[i].kind, EventKind::kWake);
  }
}

// With few slots the writer laps the reader all the time, with many it does not.
class EventRingStress : public testing::TestWithParam<unsigned> {};

TEST_P(EventRingStress, ShowsALiveReaderWholeEventsOnlyAndWithoutGaps) {
  EventRing ring(0, GetParam());
  std::atomic<bool> done{false};
  std::uint64_t recorded = 0;
  std::thread writer([&] {
    for (const tests::StressTime time; !time.IsOver();) {
      for (int i = 0; i < 100; ++i) {
        Record(ring, recorded++);
      }
    }
    done = true;
  });
  std::uint64_t last = 0;
  while (!done) {
    const RingContent content = ring.ReadLive();
    ExpectWhole(content);
    ASSERT_LT(content.events.size(), ring.Capacity());
    ASSERT_GE(content.overwritten + content.events.size(), last);
    last = content.overwritten + content.events.size();
  }
  writer.join();
  const RingContent content = ring.ReadStopped();
  ExpectWhole(content);
  EXPECT_EQ(content.overwritten + content.events.size(), recorded);
  EXPECT_EQ(content.events.size(), ring.Capacity());
}

INSTANTIATE_TEST_SUITE_P(Bits, EventRingStress, testing::Values(1, 3, 8, 14));

}  // namespace

}  // namespace schedbench::trace::event_ring_stress

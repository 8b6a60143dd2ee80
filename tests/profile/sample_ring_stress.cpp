#include "profile/sampling/sample_ring.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

namespace schedbench::profile::sample_ring_stress {

namespace {

TEST(SampleRingStress, HandsOverEachRecordWholeAndInOrderAndCountsTheRest) {
  SampleRing ring(8);
  std::atomic<bool> done{false};
  std::uint64_t pushed = 0;
  std::thread writer([&] {
    const tests::StressTime time;
    std::vector<std::uint64_t> record;
    // Each is a number and so many times its successor as its lowest bits say.
    for (; !time.IsOver(); ++pushed) {
      record.assign(1 + pushed % 32, pushed + 1);
      record[0] = pushed;
      static_cast<void>(ring.TryPush(record));
    }
    done = true;
  });
  std::uint64_t popped = 0;
  std::uint64_t next = 0;
  std::vector<std::uint64_t> record;
  for (bool last = false; !last;) {
    last = done;
    while (ring.TryPop(record)) {
      ASSERT_FALSE(record.empty());
      const std::uint64_t number = record[0];
      ASSERT_GE(number, next);
      ASSERT_EQ(record.size(), 1 + number % 32);
      for (const std::uint64_t word : std::span(record).subspan(1)) {
        ASSERT_EQ(word, number + 1);
      }
      next = number + 1;
      ++popped;
    }
  }
  writer.join();
  EXPECT_EQ(popped + ring.Lost(), pushed);
  EXPECT_GT(popped, 0u);
}

}  // namespace

}  // namespace schedbench::profile::sample_ring_stress

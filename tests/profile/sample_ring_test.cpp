#include "profile/sampling/sample_ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::profile::sample_ring_test {

namespace {

using Record = std::vector<std::uint64_t>;

TEST(SampleRing, ReturnsRecordsOfAnyLengthInTheirOrder) {
  SampleRing ring(5);
  Record record;
  EXPECT_FALSE(ring.TryPop(record));
  EXPECT_TRUE(ring.TryPush(std::array<std::uint64_t, 3>{1, 2, 3}));
  EXPECT_TRUE(ring.TryPush({}));
  EXPECT_TRUE(ring.TryPush(std::array<std::uint64_t, 1>{4}));
  EXPECT_TRUE(ring.TryPop(record));
  EXPECT_EQ(record, (Record{1, 2, 3}));
  EXPECT_TRUE(ring.TryPop(record));
  EXPECT_EQ(record, Record{});
  EXPECT_TRUE(ring.TryPop(record));
  EXPECT_EQ(record, Record{4});
  EXPECT_FALSE(ring.TryPop(record));
  EXPECT_EQ(ring.Lost(), 0u);
}

TEST(SampleRing, TakesRecordsThatReachOverItsEnd) {
  SampleRing ring(3);
  Record record;
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(ring.TryPush(std::array<std::uint64_t, 4>{i, i + 1, i + 2, i + 3}));
    ASSERT_TRUE(ring.TryPop(record));
    ASSERT_EQ(record, (Record{i, i + 1, i + 2, i + 3}));
  }
}

TEST(SampleRing, CountsWhatFindsNoRoomAndKeepsWhatItHas) {
  SampleRing ring(3);
  const std::array<std::uint64_t, 3> three{7, 8, 9};
  EXPECT_TRUE(ring.TryPush(three));
  EXPECT_TRUE(ring.TryPush(three));  // all eight words, each record's length included
  EXPECT_FALSE(ring.TryPush({}));
  EXPECT_FALSE(ring.TryPush(three));
  EXPECT_EQ(ring.Lost(), 2u);
  Record record;
  EXPECT_TRUE(ring.TryPop(record));
  EXPECT_TRUE(ring.TryPush(three));
  EXPECT_TRUE(ring.TryPop(record));
  EXPECT_TRUE(ring.TryPop(record));
  EXPECT_EQ(record, (Record{7, 8, 9}));
  EXPECT_FALSE(ring.TryPop(record));
}

}  // namespace

}  // namespace schedbench::profile::sample_ring_test

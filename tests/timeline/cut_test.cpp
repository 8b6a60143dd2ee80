#include "tests/timeline/script.hpp"
#include "timeline/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace schedbench::timeline::cut_test {

namespace {

TEST(CutBefore, KeepsTheLastOfARecording) {
  const Timeline timeline = Example().Built(48'000);
  EXPECT_EQ(timeline.start_ns, Script::kBegin + 52'000);
  EXPECT_EQ(timeline.end_ns, Script::kBegin + Script::kEnd);
  // Of worker 0 from the unpark on, which is at the very beginning; of worker 1 the park.
  EXPECT_EQ(timeline.events, 5u);
  ASSERT_EQ(timeline.slices.size(), 2u);
  EXPECT_EQ(timeline.names[timeline.slices[0].name], "main");
  EXPECT_EQ(timeline.names[timeline.slices[1].name], "park");
  EXPECT_EQ(timeline.slices[1].start, timeline.start_ns);
}

TEST(CutBefore, TakesArrowsOutThatBeginBeforeTheWindowAndBothTheirEnds) {
  const Timeline timeline = Example().Built(48'000);
  EXPECT_TRUE(timeline.arrows.empty());
  EXPECT_TRUE(std::ranges::all_of(timeline.slices,
                                  [](const Slice& slice) { return slice.arrow == kNone; }));
}

TEST(CutBefore, KeepsArrowsOfTheWindowAtTheirEnds) {
  const Timeline timeline = Example().Built(55'000);
  ASSERT_EQ(timeline.arrows.size(), 1u);
  const auto end = std::ranges::find(timeline.slices, ArrowId{0}, &Slice::arrow);
  ASSERT_NE(end, timeline.slices.end());
  EXPECT_EQ(end->start, timeline.arrows[0].to);
  const auto begin = std::ranges::find(timeline.instants, ArrowId{0}, &Instant::arrow);
  ASSERT_NE(begin, timeline.instants.end());
  EXPECT_EQ(begin->at, timeline.arrows[0].from);
}

TEST(CutBefore, KeepsWaitsThatEndInTheWindow) {
  const Timeline timeline = Example().Built(50'000);
  ASSERT_EQ(timeline.waits.size(), 1u);
  EXPECT_LT(timeline.waits[0].start, timeline.start_ns);
  ASSERT_EQ(timeline.ready.size(), 1u);
  EXPECT_EQ(timeline.ready[0].start, timeline.start_ns);
}

TEST(CutBefore, TakesCountersOutThatHaveNoValueLeft) {
  EXPECT_TRUE(Example().Built(50'000).counters.empty());
  Timeline timeline = Example().Built();
  CutBefore(timeline, Script::kBegin + 3000);
  ASSERT_EQ(timeline.counters.size(), 1u);
  EXPECT_EQ(timeline.counters[0].length, (std::vector<std::uint32_t>{2}));
}

TEST(CutBefore, DoesNothingWhereNothingIsBefore) {
  Timeline timeline = Example().Built();
  const std::size_t slices = timeline.slices.size();
  CutBefore(timeline, 0);
  EXPECT_EQ(timeline.slices.size(), slices);
  EXPECT_EQ(timeline.start_ns, Script::kBegin);
}

TEST(CutBefore, LeavesNothingWhereAllIsBefore) {
  Timeline timeline = Example().Built();
  CutBefore(timeline, ~std::uint64_t{0});
  EXPECT_EQ(timeline.LengthNs(), 0u);
  EXPECT_TRUE(timeline.slices.empty());
  EXPECT_TRUE(timeline.instants.empty());
}

}  // namespace

}  // namespace schedbench::timeline::cut_test

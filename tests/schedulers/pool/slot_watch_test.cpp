#include "schedulers/pool/slot_watch.hpp"

#include <gtest/gtest.h>

namespace schedbench::schedulers::slot_watch_test {

namespace {

using Finding = SlotWatch::Finding;

TEST(SlotWatch, FindsATaskStuckAtTheSecondLookIfItsWorkerEndedNoTask) {
  SlotWatch watch(2);
  ASSERT_TRUE(watch.TryBegin());
  EXPECT_EQ(watch.Look(0, true, 5), Finding::kFine);
  EXPECT_EQ(watch.Look(1, true, 5), Finding::kFine);
  EXPECT_EQ(watch.Look(0, true, 5), Finding::kStuck);
  EXPECT_EQ(watch.Look(1, true, 6), Finding::kFine);
}

TEST(SlotWatch, ForgetsATaskThatLeftTheSlotBetweenTwoLooks) {
  SlotWatch watch(1);
  ASSERT_TRUE(watch.TryBegin());
  EXPECT_EQ(watch.Look(0, true, 5), Finding::kFine);
  EXPECT_EQ(watch.Look(0, false, 5), Finding::kFine);
  EXPECT_EQ(watch.Look(0, true, 5), Finding::kFine);
}

TEST(SlotWatch, FindsATaskStuckAtTheLookAfterACrowdedOne) {
  SlotWatch watch(1);
  ASSERT_TRUE(watch.TryBegin());
  EXPECT_EQ(watch.Look(0, true, 1), Finding::kFine);
  EXPECT_EQ(watch.Look(0, true, 2), Finding::kFine);
  EXPECT_EQ(watch.Look(0, true, 3), Finding::kFine);
  EXPECT_EQ(watch.Look(0, true, 4), Finding::kCrowded);
  EXPECT_EQ(watch.Look(0, true, 4), Finding::kStuck);
}

TEST(SlotWatch, HasOneWatcherAtATimeAndIsMissingAfterIt) {
  SlotWatch watch(1);
  EXPECT_TRUE(watch.IsMissing());
  ASSERT_TRUE(watch.TryBegin());
  EXPECT_FALSE(watch.TryBegin());
  EXPECT_FALSE(watch.IsMissing());
  watch.End();
  EXPECT_TRUE(watch.IsMissing());
  EXPECT_TRUE(watch.TryBegin());
}

TEST(SlotWatch, AsksTheFirstPutAfterARestToNotify) {
  SlotWatch watch(1);
  ASSERT_TRUE(watch.TryBegin());
  EXPECT_FALSE(watch.MustNotify());
  watch.Rest();
  EXPECT_TRUE(watch.IsResting());
  EXPECT_TRUE(watch.MustNotify());
  EXPECT_FALSE(watch.MustNotify());
  EXPECT_TRUE(watch.IsMissing());
}

}  // namespace

}  // namespace schedbench::schedulers::slot_watch_test

#include "report/parts/progress_text.hpp"

#include <gtest/gtest.h>

namespace schedbench::report::progress_text_test {
namespace {

TEST(ProgressText, HasABarTheRoundAndTheTimeThatIsLeft) {
  EXPECT_EQ(ProgressText(10, 40, false, 5),
            "[#####...............] 25 %  round 10 of 40, 15 s left");
  EXPECT_EQ(ProgressText(40, 40, false, 5),
            "[####################] 100 %  round 40 of 40, 0 s left");
}

TEST(ProgressText, HasNoTimeBeforeTheFirstRoundIsDone) {
  EXPECT_EQ(ProgressText(0, 8, true, 3), "[....................] 0 %  round 0 of 8, warming up");
}

TEST(ProgressText, CountsLongTimesInMinutesAndHours) {
  EXPECT_TRUE(ProgressText(1, 2, false, 200).ends_with(", 3 min 20 s left"));
  EXPECT_TRUE(ProgressText(1, 2, false, 7500).ends_with(", 2 h 5 min left"));
  EXPECT_TRUE(ProgressText(1, 2, false, 59.7).ends_with(", 1 min 0 s left"));
}

TEST(ProgressText, ShowsTheTimeThatIsLeftOfABudgetUntilItIsOver) {
  EXPECT_EQ(BudgetText(30, 60), "[##########..........] 50 %  at most 30 s left");
  EXPECT_EQ(BudgetText(61, 60), "[####################] 100 %  the last round ends");
}

}  // namespace
}  // namespace schedbench::report::progress_text_test

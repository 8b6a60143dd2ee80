#include "profile/folded.hpp"

#include "profile/sampling/frame_text.hpp"
#include "tests/profile/example.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace schedbench::profile::folded_test {

namespace {

TEST(Fold, HasTheFiberOutermost) {
  EXPECT_EQ(Fold(ExampleProfile(), {}),
            (FoldedStacks{{"fiber:ping;{anonymous}::Body", 1'001'001},
                          {"fiber:ping;{anonymous}::Body;C::operator_arrow", 2'001'401},
                          {"worker:search", 2'000'000}}));
}

TEST(Fold, HasTheWorkerOutermostOnRequest) {
  EXPECT_EQ(Fold(ExampleProfile(), {.worker = true}),
            (FoldedStacks{{"worker 0;fiber:ping;{anonymous}::Body", 1'001'001},
                          {"worker 0;fiber:ping;{anonymous}::Body;C::operator_arrow", 1'001'001},
                          {"worker 3;fiber:ping;{anonymous}::Body;C::operator_arrow", 1'000'400},
                          {"worker 3;worker:search", 2'000'000}}));
}

TEST(Fold, HasOnlyCodeWithoutRootsAndWhatHasNoCode) {
  EXPECT_EQ(Fold(ExampleProfile(), {.worker = false, .fiber = false}),
            (FoldedStacks{{"{anonymous}::Body", 1'001'001},
                          {"{anonymous}::Body;C::operator_arrow", 2'001'401},
                          {"worker:search", 2'000'000}}));
}

TEST(Fold, HasWhereAFiberWasStartedOnRequestIfItsNameDoesNotSay) {
  StackProfile profile;
  profile.workers = {{.index = 0, .thread = 1}};
  const FrameId named = profile.Add(FiberFrame("client", "src/main.cpp", 7));
  const FrameId unnamed = profile.Add(FiberFrame("", "src/main.cpp", 9));
  const FrameId code = profile.Add({.name = "Body", .address = 1});
  const StackId calls = profile.AddStack(std::array{code});
  profile.samples = {{.weight_ns = 1, .owner = named, .stack = calls},
                     {.weight_ns = 2, .owner = unnamed, .stack = calls}};
  EXPECT_EQ(
      Fold(profile, {.created = true}),
      (FoldedStacks{{"fiber:client;created:main.cpp:7;Body", 1}, {"fiber:main.cpp:9;Body", 2}}));
  EXPECT_EQ(Fold(profile, {.fiber = false, .created = true}),
            (FoldedStacks{{"created:main.cpp:7;Body", 1}, {"created:main.cpp:9;Body", 2}}));
}

TEST(FoldedText, RoundsEachSumAndLeavesOutWhatIsNothing) {
  EXPECT_EQ(FoldedText({{"a;b 2", 1'499}, {"c", 1'500}, {"d", 499}, {"e", 500}}, 1000),
            "a;b 2 1\nc 2\ne 1\n");
  EXPECT_EQ(FoldedText({}, 1000), "");
}

TEST(WeightText, HasAllDecimalsAndNoMore) {
  EXPECT_EQ(WeightText(12, 1), "12");
  EXPECT_EQ(WeightText(3123, 100), "31.23");
  EXPECT_EQ(WeightText(610, 100), "6.1");
  EXPECT_EQ(WeightText(600, 100), "6");
  EXPECT_EQ(WeightText(7, 1000), "0.007");
}

}  // namespace

}  // namespace schedbench::profile::folded_test

#include "profile/folded.hpp"

#include "config/input_error.hpp"
#include "profile/frame_text.hpp"
#include "tests/profile/example.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace schedbench::profile::folded_test {

namespace {

std::string Refusal(std::string_view text) {
  try {
    ParseFolded(text, "a.folded");
  } catch (const config::InputError& error) {
    return error.what();
  }
  return "";
}

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

TEST(ParseFolded, ReadsWhatWasWritten) {
  const FoldedStacks stacks = Fold(ExampleProfile("fiber:a 5; b -> (c)"), {.worker = true});
  EXPECT_EQ(ParseFolded(FoldedText(stacks, 1), "x"), stacks);
}

TEST(ParseFolded, AddsEqualStacksAndPassesOverEmptyLines) {
  EXPECT_EQ(ParseFolded("a;b 1\r\n\na;b 2\n  \nc 3", "x"), (FoldedStacks{{"a;b", 3}, {"c", 3}}));
}

TEST(ParseFolded, SaysInWhichLineWhatIsWrong) {
  EXPECT_EQ(Refusal("a 1\nabc\n"),
            "a.folded:2: 'abc': expected STACK WEIGHT, with a blank between them");
  EXPECT_EQ(Refusal("a;b 1.5"), "a.folded:1: 'a;b 1.5': the weight '1.5' is not a whole number");
  EXPECT_EQ(Refusal("a -1"), "a.folded:1: 'a -1': the weight '-1' is not a whole number");
  EXPECT_EQ(Refusal("a 99999999999999999999"),
            "a.folded:1: 'a 99999999999999999999': the weight '99999999999999999999' is not a "
            "whole number");
  EXPECT_EQ(Refusal(" 5"), "a.folded:1: ' 5': there is no stack before the weight");
  EXPECT_EQ(Refusal("a 18446744073709551615\na 1"),
            "a.folded:2: 'a 1': the sum of the weights of this stack does not fit into 64 bits");
  EXPECT_NE(Refusal(std::string("\x7f"
                                "ELF\x01\x00\x02",
                                7)),
            "");
}

}  // namespace

}  // namespace schedbench::profile::folded_test

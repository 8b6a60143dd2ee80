#include "base/text.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

namespace schedbench::text_test {

namespace {

TEST(Text, LosesBlanksAtItsEndsOnly) {
  EXPECT_EQ(WithoutBlanks(" \t a b\r\n"), "a b");
  EXPECT_EQ(WithoutBlanks(" \v\f "), "");
  EXPECT_EQ(WithoutBlanks(""), "");
}

TEST(Text, IsTakenInParts) {
  std::string_view text = "a;;b";
  EXPECT_EQ(TakePart(text, ';'), "a");
  EXPECT_EQ(TakePart(text, ';'), "");
  EXPECT_EQ(TakePart(text, ';'), "b");
  EXPECT_EQ(text, "");
  EXPECT_EQ(TakePart(text, ';'), "");
}

TEST(Text, IsTakenInLinesWithEitherLineBreak) {
  std::string_view text = "a\r\n\nb\r";
  EXPECT_EQ(TakeLine(text), "a");
  EXPECT_EQ(TakeLine(text), "");
  EXPECT_EQ(TakeLine(text), "b");
  EXPECT_EQ(text, "");
}

TEST(Text, BeginsWithANumberOrIsOne) {
  EXPECT_EQ(NumberAt("12ms"), 12U);
  EXPECT_EQ(NumberAt("18446744073709551615"), 18446744073709551615U);
  for (const std::string_view none : {"", "x1", "-1", "+1", "18446744073709551616"}) {
    EXPECT_EQ(NumberAt(none), std::nullopt) << none;
  }
  EXPECT_EQ(WholeNumber("007"), 7U);
  for (const std::string_view none : {"", "12ms", "1 ", "18446744073709551616"}) {
    EXPECT_EQ(WholeNumber(none), std::nullopt) << none;
  }
}

}  // namespace

}  // namespace schedbench::text_test

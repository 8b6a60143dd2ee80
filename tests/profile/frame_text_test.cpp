#include "profile/sampling/frame_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::profile::frame_text_test {

namespace {

TEST(SafeName, LeavesAnOrdinaryNameAsItIs) {
  EXPECT_EQ(SafeName("fiber:ping 3"), "fiber:ping 3");
  EXPECT_EQ(SafeName("волокно"), "волокно");
}

TEST(SafeName, ReplacesWhatReadersTakeForTheirOwn) {
  EXPECT_EQ(SafeName("a;b(c)\"d\"'e'->f"), "a:b[c]`d``e`=>f");
  EXPECT_EQ(SafeName("a\nb\tc\x07"), "a\\nb\\tc\\x07");
  EXPECT_EQ(SafeName("bad \xff byte"), "bad \\xff byte");
  EXPECT_EQ(SafeName("</script>"), "</script>");
  EXPECT_EQ(SafeName("at+0x1f"), "at+0X1f");
}

TEST(SafeName, IsNeverEmptyAndHasNoBlanksAtItsEnds) {
  EXPECT_EQ(SafeName(""), "{none}");
  EXPECT_EQ(SafeName(" \t\n"), "{none}");
  EXPECT_EQ(SafeName("  a b "), "a b");
}

TEST(SafeName, IsCutBetweenCharactersWhereItIsTooLong) {
  std::string text;
  for (std::size_t i = 0; i < kLongestName; ++i) {
    text += "ж";
  }
  EXPECT_EQ(SafeName(text), text);
  EXPECT_EQ(SafeName(text + "x"), text + "...");
}

TEST(SafeModule, HasNothingThatEndsItEarly) {
  EXPECT_EQ(SafeModule("/usr/bin/tool"), "/usr/bin/tool");
  EXPECT_EQ(SafeModule("/my tools/a(1)\n"), "/my_tools/a_1_\\n");
  EXPECT_EQ(SafeModule("/tmp/gone (deleted)"), "/tmp/gone");
  EXPECT_EQ(SafeModule(""), "[unknown]");
  EXPECT_EQ(SafeModule("[fiber]"), "[fiber]");
}

TEST(FileName, IsWhatComesAfterTheLastSlash) {
  EXPECT_EQ(FileName("/usr/lib/libc.so.6"), "libc.so.6");
  EXPECT_EQ(FileName("fast.cpp"), "fast.cpp");
  EXPECT_EQ(FileName("/usr/"), "");
  EXPECT_EQ(FileName(""), "");
}

TEST(FrameText, OfALongNameKeepsTheFunctionAndNotTheTemplateArguments) {
  const std::string argument(kLongestName, 'a');
  EXPECT_EQ(FrameText({.name = "C<" + argument + ">::f(int)", .module = "/x"}), "C::f");
}

TEST(FrameText, ShortensCodeOnly) {
  EXPECT_EQ(FrameText({.name = "a::f(int) const", .module = "/x"}), "a::f");
  EXPECT_EQ(FrameText({.name = "fiber:a b (2)", .module = "[fiber]", .is_code = false}),
            "fiber:a b [2]");
}

}  // namespace

}  // namespace schedbench::profile::frame_text_test

#include "base/last_line.hpp"

#include <gtest/gtest.h>

namespace schedbench::last_line_test {

namespace {

TEST(LastLine, IsTheLastOneThatIsNotBlank) {
  EXPECT_EQ(LastLine("one\ntwo"), "two");
  EXPECT_EQ(LastLine("one\r\ntwo \r\n \n\n"), "two");
  EXPECT_EQ(LastLine("  one"), "  one");
  EXPECT_EQ(LastLine(" \n\t\n"), "");
  EXPECT_EQ(LastLine(""), "");
}

}  // namespace

}  // namespace schedbench::last_line_test

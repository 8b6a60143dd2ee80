#include "report/parts/text_table.hpp"

#include <gtest/gtest.h>

namespace schedbench::report::text_table_test {

namespace {

TextTable Example() {
  TextTable table;
  table.AddColumn("name", TextTable::Align::kLeft);
  table.AddColumn("µs", TextTable::Align::kRight, true);
  table.AddColumn("doc", TextTable::Align::kLeft);
  table.AddRow({"Σ", "1 000", "a"});
  table.AddRow({"a longer one", "5", ""});
  return table;
}

TEST(TextTable, AlignsByCharactersAndEndsNoLineInSpaces) {
  EXPECT_EQ(Example().Render({.unicode = true, .colour = false}),
            "  name         │    µs  doc\n"
            "  Σ            │ 1 000  a\n"
            "  a longer one │     5\n");
}

TEST(TextTable, DimsTheHeadOnlyInColour) {
  const std::string text = Example().Render({.unicode = false, .colour = true});
  EXPECT_TRUE(text.starts_with("\033[2m  name         |    µs  doc\033[0m\n")) << text;
  EXPECT_EQ(text.find('\033', 40), std::string::npos);
}

}  // namespace

}  // namespace schedbench::report::text_table_test

#include "report/parts/text_table.hpp"

#include <gtest/gtest.h>

namespace schedbench::report::text_table_test {

namespace {

TextTable Example() {
  TextTable table;
  table.AddColumn("name", kLeft);
  table.AddColumn("µs", kRight, true);
  table.AddColumn("doc", kLeft);
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

TextTable Wide() {
  TextTable table;
  table.AddColumn("name", kLeft);
  table.AddColumn("first", kRight, true, 1);
  table.AddColumn("second", kRight, false, 2);
  table.AddColumn("what it is", kLeft, true);
  table.AddRow({"a", "1", "2", "a text of some words that is long"});
  return table;
}

TEST(TextTable, BreaksTheTextOfItsLastColumnInANarrowTerminal) {
  EXPECT_EQ(Wide().Render({.width = 64}),
            "  name │ first  second │ what it is\n"
            "  a    │     1       2 │ a text of some words that is long\n");
  EXPECT_EQ(Wide().Render({.width = 50}),
            "  name │ first  second │ what it is\n"
            "  a    │     1       2 │ a text of some words that\n"
            "                         is long\n");
}

TEST(TextTable, LosesItsLeastImportantColumnsInANarrowerOne) {
  EXPECT_EQ(Wide().Render({.width = 42}),
            "  name │ first │ what it is\n"
            "  a    │     1 │ a text of some words that\n"
            "                 is long\n");
  EXPECT_EQ(Wide().Render({.width = 38}),
            "  name │ what it is\n"
            "  a    │ a text of some words that is\n"
            "         long\n");
}

TEST(TextTable, PutsItsTextBelowTheOtherColumnsWhereItDoesNotFitNextToThem) {
  TextTable table;
  table.AddColumn("a long head of a column", kLeft);
  table.AddColumn("doc", kLeft);
  table.AddRow({"first", "short"});
  table.AddRow({"second", "a text of some words that is long"});
  EXPECT_EQ(table.Render({.width = 40}),
            "  a long head of a column  doc\n"
            "  first                    short\n"
            "  second\n"
            "      a text of some words that is long\n");
}

}  // namespace

}  // namespace schedbench::report::text_table_test

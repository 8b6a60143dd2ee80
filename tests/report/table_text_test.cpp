#include "report/document/table.hpp"

#include <gtest/gtest.h>

namespace schedbench::report::table_text_test {

namespace {

Table Example() {
  return {.columns = {{"name"}, {.name = "µs", .align = kRight, .opens_group = true}, {"doc"}},
          .rows = {{"Σ", "1 000", "a"}, {"a longer one", "5", ""}}};
}

TEST(TableText, AlignsByCharactersAndEndsNoLineInSpaces) {
  EXPECT_EQ(TableText(Example(), {.unicode = true, .colour = false}),
            "  name         │    µs  doc\n"
            "  Σ            │ 1 000  a\n"
            "  a longer one │     5\n");
}

TEST(TableText, DimsTheHeadOnlyInColour) {
  const std::string text = TableText(Example(), {.unicode = false, .colour = true});
  EXPECT_TRUE(text.starts_with("\033[2m  name         |    µs  doc\033[0m\n")) << text;
  EXPECT_EQ(text.find('\033', 40), std::string::npos);
}

Table Wide() {
  return {.columns = {{"name"},
                      {.name = "first", .align = kRight, .loss = 1, .opens_group = true},
                      {.name = "second", .align = kRight, .loss = 2},
                      {.name = "what it is", .opens_group = true}},
          .rows = {{"a", "1", "2", "a text of some words that is long"}}};
}

TEST(TableText, BreaksTheTextOfItsLastColumnInANarrowTerminal) {
  EXPECT_EQ(TableText(Wide(), {.width = 64}),
            "  name │ first  second │ what it is\n"
            "  a    │     1       2 │ a text of some words that is long\n");
  EXPECT_EQ(TableText(Wide(), {.width = 50}),
            "  name │ first  second │ what it is\n"
            "  a    │     1       2 │ a text of some words that\n"
            "                         is long\n");
}

TEST(TableText, LosesItsLeastImportantColumnsInANarrowerOne) {
  EXPECT_EQ(TableText(Wide(), {.width = 42}),
            "  name │ first │ what it is\n"
            "  a    │     1 │ a text of some words that\n"
            "                 is long\n");
  EXPECT_EQ(TableText(Wide(), {.width = 38}),
            "  name │ what it is\n"
            "  a    │ a text of some words that is\n"
            "         long\n");
}

TEST(TableText, PutsItsTextBelowTheOtherColumnsWhereItDoesNotFitNextToThem) {
  const Table table{.columns = {{"a long head of a column"}, {"doc"}},
                    .rows = {{"first", "short"}, {"second", "a text of some words that is long"}}};
  EXPECT_EQ(TableText(table, {.width = 40}),
            "  a long head of a column  doc\n"
            "  first                    short\n"
            "  second\n"
            "      a text of some words that is long\n");
}

}  // namespace

}  // namespace schedbench::report::table_text_test

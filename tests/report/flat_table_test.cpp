#include "report/document/flat_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace schedbench::report::flat_table_test {

namespace {

TEST(CsvText, QuotesCellsWithCommasQuotesAndLineBreaks) {
  const FlatTable table{.columns = {"name", "value"},
                        .rows = {{"a,b", FlatCell("1.5", "1.50 s")}, {"say \"x\"\n", ""}}};
  EXPECT_EQ(CsvText(table), "name,value\n\"a,b\",1.5\n\"say \"\"x\"\"\n\",\n");
}

TEST(MarkdownText, ShowsTheFormForPeopleAndEscapesMarks) {
  const FlatTable table{.columns = {"name", "value"},
                        .rows = {{"a|b_c\n", FlatCell("1.5", "1.50 s")}}};
  EXPECT_EQ(MarkdownText(table), "| name | value |\n|---|---|\n| a\\|b\\_c  | 1.50 s |\n");
}

TEST(ExactNumber, IsReadAsTheSameDoubleAndIsEmptyWithoutAValue) {
  EXPECT_EQ(std::stod(ExactNumber(0.1 + 0.2)), 0.1 + 0.2);
  EXPECT_EQ(ExactNumber(std::nullopt), "");
  EXPECT_EQ(ExactNumber(NAN), "");
}

}  // namespace

}  // namespace schedbench::report::flat_table_test

#include "report/document/document.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace schedbench::report::document_test {

namespace {

constexpr TerminalStyle kPlain{.unicode = false};

Document OfRows(Table rows) {
  return {.title = "", .rows = std::move(rows)};
}

TEST(CsvText, QuotesCellsWithCommasQuotesAndLineBreaks) {
  const Document document = OfRows({.columns = {{"name"}, {"value"}},
                                    .rows = {{"a,b", Cell("1.5", "1.50 s")}, {"say \"x\"\n", ""}}});
  EXPECT_EQ(CsvText(document), "name,value\n\"a,b\",1.5\n\"say \"\"x\"\"\n\",\n");
}

TEST(CsvText, NamesColumnsByKeysWithTheirUnits) {
  EXPECT_EQ(CsvText(OfRows({.columns = {{.name = "latency p99.9", .unit = "ns"}}})),
            "latency_p99_9_ns\n");
}

TEST(MarkdownText, ShowsTheFormForPeopleAndEscapesMarks) {
  const Document document =
      OfRows({.columns = {{"name"}, {"value"}}, .rows = {{"a|b_c\n", Cell("1.5", "1.50 s")}}});
  EXPECT_EQ(MarkdownText(document), "| name | value |\n|---|---|\n| a\\|b\\_c  | 1.50 s |\n");
}

struct Trial {
  std::string name;
  std::optional<stats::RatioEstimate> ratio;
};

Table TrialsTable() {
  TableOf<Trial> table;
  table.Add({"name"}, &Trial::name);
  table.Add({.name = "command", .media = kInTerminal, .below = true},
            [](const Trial& trial) { return "run " + trial.name; });
  table.AddRatio({"ratio"}, [](const Trial& trial) { return trial.ratio; });
  return std::move(table).Rows(
      std::vector<Trial>{{"one", stats::RatioEstimate{2, 1.5, 2.5}}, {"two", std::nullopt}});
}

TEST(TableOf, ShowsARatioInOneColumnToPeopleAndInThreeToPrograms) {
  EXPECT_EQ(CsvText(OfRows(TrialsTable())),
            "name,ratio,ratio_low,ratio_high\none,2,1.5,2.5\ntwo,,,\n");
  const Table shown = TrialsTable().For(kInPage);
  ASSERT_EQ(shown.columns.size(), 2U);
  EXPECT_EQ(shown.rows[0][1].shown, "2 (1.5 to 2.5)");
}

TEST(TerminalText, PrintsTheDocumentInOrderAndRemediesForCopying) {
  const Document document{.title = "of a page",
                          .headline = {"what", "how"},
                          .endings = {{"interrupted", "", "partial"}},
                          .sections = {{.title = "trials",
                                        .lead = {{"the best is one", "run one"}},
                                        .table = TrialsTable(),
                                        .most_rows = 1},
                                       {.title = "charts", .media = kInPage}},
                          .notes = {{"two has no ratio"}}};
  EXPECT_EQ(TerminalText(document, kPlain),
            "what  |  how\n"
            "  partial interrupted\n"
            "\n"
            "trials\n"
            "  the best is one    run one\n"
            "  name  ratio\n"
            "  one   2 (1.5 to 2.5)\n"
            "      run one\n"
            "  ... 1 more\n"
            "\n"
            "  note    two has no ratio\n");
}

TEST(TerminalText, BreaksSentencesAtTheWidthOfTheTerminal) {
  const Document document{.title = "", .sections = {{.details = {{"one two three four"}}}}};
  EXPECT_EQ(TerminalText(document, {.unicode = false, .width = 12}), "  one two\n  three four\n");
}

}  // namespace

}  // namespace schedbench::report::document_test

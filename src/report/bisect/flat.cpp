#include "report/bisect/bisect_report.hpp"
#include "report/parts/flat_table.hpp"

#include <fmt/core.h>

#include <string>

namespace schedbench::report {

namespace {

// A row for each step.
FlatTable FlattenedBisect(const BisectResult& result) {
  FlatTable table{.columns = {"candidate", "nearer", "blocks", "to good", "to good low",
                              "to good high", "to bad", "to bad low", "to bad high", "failure"},
                  .rows = {}};
  for (const BisectResult::Tested& one : result.tested) {
    std::vector<FlatCell> row{one.name, history::ToText(one.step.nearer),
                              fmt::format("{}", one.step.blocks)};
    for (const auto* const ratio : {&one.step.to_good, &one.step.to_bad}) {
      for (const auto part : {&stats::RatioEstimate::ratio, &stats::RatioEstimate::low,
                              &stats::RatioEstimate::high}) {
        row.push_back(
            *ratio ? FlatCell(ExactNumber((**ratio).*part), fmt::format("{:.3g}", (**ratio).*part))
                   : FlatCell(""));
      }
    }
    row.emplace_back(one.step.failure);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string RenderBisectCsv(const BisectResult& result, const TerminalStyle& /*style*/) {
  return CsvText(FlattenedBisect(result));
}

std::string RenderBisectMarkdown(const BisectResult& result, const TerminalStyle& /*style*/) {
  return MarkdownText(FlattenedBisect(result));
}

}  // namespace schedbench::report

#include "report/hypotheses/hypotheses_report.hpp"
#include "report/parts/flat_table.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>

namespace schedbench::report {

namespace {

FlatCell NumberCell(const std::optional<stats::RatioEstimate>& ratio,
                    double stats::RatioEstimate::*number) {
  return ratio ? FlatCell(ExactNumber((*ratio).*number), fmt::format("{:.3g}", (*ratio).*number))
               : FlatCell("");
}

// A row for each hypothesis.
FlatTable Flattened(const HypothesesResult& result) {
  FlatTable table{.columns = {"hypothesis", "source", "verdict", "workload", "before", "after",
                              "mechanism ratio", "mechanism low", "mechanism high",
                              "throughput ratio", "throughput low", "throughput high", "reason"},
                  .rows = {}};
  for (const harness::JudgedHypothesis& judged : result.judged) {
    std::vector<FlatCell> row{judged.hypothesis->name,           judged.hypothesis->source,
                              harness::ToText(judged.judgement), judged.plan.workloads[0].name,
                              judged.hypothesis->before,         judged.hypothesis->after};
    for (const auto* const ratio : {&judged.mechanism, &judged.throughput}) {
      row.push_back(NumberCell(*ratio, &stats::RatioEstimate::ratio));
      row.push_back(NumberCell(*ratio, &stats::RatioEstimate::low));
      row.push_back(NumberCell(*ratio, &stats::RatioEstimate::high));
    }
    row.emplace_back(judged.reason);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string RenderHypothesesCsv(const HypothesesResult& result, const TerminalStyle& /*style*/) {
  return CsvText(Flattened(result));
}

std::string RenderHypothesesMarkdown(const HypothesesResult& result,
                                     const TerminalStyle& /*style*/) {
  return MarkdownText(Flattened(result));
}

}  // namespace schedbench::report

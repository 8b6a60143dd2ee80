#include "report/load/load_report.hpp"
#include "report/parts/quantity.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

void AddRow(FlatTable& table, const std::string& name,
            const std::optional<harness::LoadSummary>& summary, const std::string& hole,
            const TerminalStyle& style) {
  std::vector<FlatCell> row{name};
  const auto time = [&](const std::optional<double>& ns) {
    return ns && std::isfinite(*ns) ? FlatCell(ExactNumber(*ns), Duration(*ns, style))
                                    : FlatCell("");
  };
  const auto number = [](double value) {
    return FlatCell(ExactNumber(value), Scaled(value));
  };
  if (summary) {
    row.insert(row.end(),
               {std::to_string(summary->requests), std::to_string(summary->unanswered),
                number(summary->asked), number(summary->reached), time(summary->latency.mean),
                time(summary->latency.p50), time(summary->latency.p90), time(summary->latency.p99),
                time(summary->latency.p99_9), time(summary->latency.max), time(summary->delay.p99),
                time(summary->delay.max)});
  } else {
    row.resize(table.columns.size() - 1, FlatCell(""));
  }
  row.emplace_back(hole);
  table.rows.push_back(std::move(row));
}

}  // namespace

FlatTable Flattened(const LoadResult& result, const TerminalStyle& style) {
  FlatTable table{.columns = {"generator", "requests", "unanswered", "asked_per_s", "reached_per_s",
                              "latency_mean_ns", "latency_p50_ns", "latency_p90_ns",
                              "latency_p99_ns", "latency_p99_9_ns", "latency_max_ns",
                              "delay_p99_ns", "delay_max_ns", "hole"}};
  AddRow(table, "all", result.analysis.all, "", style);
  for (std::size_t i = 0; i < result.analysis.generators.size(); ++i) {
    AddRow(table, PartName(result.plan.generators, i), result.analysis.generators[i],
           result.data.generators[i].part.failure, style);
  }
  return table;
}

}  // namespace schedbench::report

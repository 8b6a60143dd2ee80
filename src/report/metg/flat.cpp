#include "report/metg/metg_report.hpp"
#include "report/parts/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

FlatCell TimeCell(const std::optional<double>& ns, const TerminalStyle& style) {
  return ns ? FlatCell(ExactNumber(ns), Duration(*ns, style)) : FlatCell("");
}

FlatCell ShareCell(double share) {
  return {ExactNumber(share), Percent(share)};
}

// Of a result.
std::vector<FlatCell> ResultRow(const MetgResult& result, const harness::MetgCurve& curve,
                                const TerminalStyle& style) {
  std::vector<FlatCell> row{"metg",
                            "",
                            TimeCell(curve.ns, style),
                            TimeCell(curve.low, style),
                            TimeCell(curve.high, style),
                            ShareCell(result.plan.efficiency),
                            "",
                            ""};
  AddRatio(curve.ratio, row);
  row.emplace_back(std::to_string(curve.blocks));
  row.emplace_back(curve.verdict ? harness::ToText(*curve.verdict) : ToText(curve.outcome));
  row.emplace_back(curve.failure);
  return row;
}

// Of a point of its curve. A larger efficiency is a smaller granularity.
std::vector<FlatCell> PointRow(const MetgResult& result, const harness::MetgPoint& point,
                               const TerminalStyle& style) {
  const auto grain = static_cast<double>(point.grain_ns);
  std::vector<FlatCell> row{point.fine ? "point" : "search",
                            FlatCell(std::to_string(point.grain_ns), Duration(grain, style))};
  if (const auto efficiency = harness::EfficiencyOf(result.plan, point)) {
    for (const double share : {efficiency->median, efficiency->high, efficiency->low}) {
      row.push_back(TimeCell(grain / share, style));
    }
    for (const double share : {efficiency->median, efficiency->low, efficiency->high}) {
      row.push_back(ShareCell(share));
    }
  } else {
    row.insert(row.end(), 6, "");
  }
  row.insert(row.end(), {"", "", "", FlatCell(std::to_string(point.series.blocks.size())), "",
                         FlatCell(point.series.failure)});
  return row;
}

}  // namespace

FlatTable Flattened(const MetgResult& result, const TerminalStyle& style) {
  FlatTable table{.columns = {"workload", "alternative", "row", "grain (ns)", "granularity (ns)",
                              "low", "high", "efficiency", "efficiency low", "efficiency high",
                              "ratio", "ratio low", "ratio high", "blocks", "status", "reason"}};
  const std::size_t alternatives = result.plan.alternatives.size();
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const std::string& workload = result.plan.workloads[i / alternatives].name;
    const std::string& alternative = result.plan.alternatives[i % alternatives].name;
    const auto add = [&](std::vector<FlatCell> row) {
      row.insert(row.begin(), {FlatCell(workload), FlatCell(alternative)});
      table.rows.push_back(std::move(row));
    };
    add(ResultRow(result, result.curves[i], style));
    for (const harness::MetgPoint& point : result.data.curves[i]) {
      add(PointRow(result, point, style));
    }
  }
  return table;
}

}  // namespace schedbench::report

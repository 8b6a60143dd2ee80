#include "report/sweep/parts.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

const harness::ScalePoint* PointOf(const SweepResult& result, std::size_t cell) {
  for (const harness::ScaleCurve& curve : result.curves) {
    const auto found = std::ranges::find(curve.points, cell, &harness::ScalePoint::cell);
    if (found != curve.points.end()) {
      return &*found;
    }
  }
  return nullptr;
}

}  // namespace

FlatTable Flattened(const SweepResult& result, const TerminalStyle& style) {
  const harness::SweepPlan& plan = result.plan;
  const bool scales = result.kind == SweepResult::Kind::kScale;
  const std::string ratio = scales ? "speedup" : "ratio to best";
  FlatTable table;
  for (const harness::SweepKey& key : plan.keys) {
    table.columns.push_back(key.name);
  }
  table.columns.insert(table.columns.end(),
                       {"metric", "unit", "median", "low", "high", ratio, ratio + " low",
                        ratio + " high", "blocks", "status", "reason"});
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    std::vector<FlatCell> cells;
    for (std::size_t key = 0; key < plan.keys.size(); ++key) {
      cells.emplace_back(plan.keys[key].values[plan.cells[cell].place[key]]);
    }
    cells.emplace_back(plan.metric->name);
    cells.emplace_back(plan.metric->unit);
    const harness::CellResult& analysed = result.analysis.cells[cell];
    const auto text_of = [&](double value) {
      return ValueText(plan, cell, value, style);
    };
    AddSpread(analysed.spread, text_of, cells);
    const harness::ScalePoint* const point = PointOf(result, cell);
    AddRatio(point != nullptr   ? point->speedup
             : analysed.to_best ? std::optional(analysed.to_best->estimate)
                                : std::nullopt,
             cells);
    cells.emplace_back(std::to_string(result.data.cells[cell].blocks.size()));
    cells.emplace_back(StatusOf(result, cell));
    cells.emplace_back(result.data.cells[cell].failure);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace schedbench::report

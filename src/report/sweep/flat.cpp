#include "report/parts/flat_table.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/core.h>

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

void AddValue(const harness::SweepPlan& plan, const std::optional<harness::Spread>& spread,
              std::size_t cell, const TerminalStyle& style, std::vector<FlatCell>& cells) {
  if (!spread) {
    cells.insert(cells.end(), {"", "", ""});
    return;
  }
  for (const double value : {spread->median, spread->low, spread->high}) {
    cells.emplace_back(ExactNumber(value), ValueText(plan, cell, value, style));
  }
}

void AddRatio(const std::optional<stats::RatioEstimate>& ratio, std::vector<FlatCell>& cells) {
  if (!ratio) {
    cells.insert(cells.end(), {"", "", ""});
    return;
  }
  for (const double value : {ratio->ratio, ratio->low, ratio->high}) {
    cells.emplace_back(ExactNumber(value), fmt::format("{:.3g}", value));
  }
}

FlatTable FlattenedCells(const SweepResult& result, const TerminalStyle& style) {
  const harness::SweepPlan& plan = result.plan;
  const bool scales = result.kind == SweepResult::Kind::kScale;
  const std::string ratio = scales ? "speedup" : "ratio to best";
  FlatTable table{.columns = {}, .rows = {}};
  for (const harness::SweepKey& key : plan.keys) {
    table.columns.push_back(key.name);
  }
  for (const std::string& column :
       {std::string("metric"), std::string("unit"), std::string("median"), std::string("low"),
        std::string("high"), ratio, ratio + " low", ratio + " high", std::string("blocks"),
        std::string("status"), std::string("reason")}) {
    table.columns.push_back(column);
  }
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    std::vector<FlatCell> cells;
    for (std::size_t key = 0; key < plan.keys.size(); ++key) {
      cells.emplace_back(plan.keys[key].values[plan.cells[cell].place[key]]);
    }
    cells.emplace_back(plan.metric->name);
    cells.emplace_back(plan.metric->unit);
    const harness::CellResult& analysed = result.analysis.cells[cell];
    AddValue(plan, analysed.spread, cell, style, cells);
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

}  // namespace

std::string RenderSweepCsv(const SweepResult& result, const TerminalStyle& style) {
  return CsvText(FlattenedCells(result, style));
}

std::string RenderSweepMarkdown(const SweepResult& result, const TerminalStyle& style) {
  return MarkdownText(FlattenedCells(result, style));
}

}  // namespace schedbench::report

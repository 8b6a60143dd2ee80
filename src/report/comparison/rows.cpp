#include "base/vector_of.hpp"
#include "report/comparison/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

// The columns of a comparison.

namespace schedbench::report {

namespace {

using harness::ComparedRow;

// Returns "98.75 %", rounded down: for many comparisons it is near 1, but never 1.
std::string LevelText(double level) {
  return fmt::format("{:.4g} %", std::floor(level * 1e4) / 1e2);
}

std::string VerdictText(const ComparedRow& row) {
  std::string text(harness::ToText(*row.verdict));
  // More blocks take longer than a day, so their exact number does not matter.
  constexpr std::size_t kMostBlocks = 10'000;
  if (row.pairs_to_resolve > kMostBlocks) {
    text += ": no practical number of blocks would resolve it";
  } else if (row.pairs_to_resolve > 0) {
    text += fmt::format(": about {} blocks would resolve it", row.pairs_to_resolve);
  }
  if (row.ranks) {
    text += fmt::format("  p {:.2g}, effect {}", row.ranks->p,
                        stats::EffectSize(row.ranks->superiority));
  }
  if (row.dependent && row.ratio) {
    text += row.ratio->stops_short
                ? " (blocks resemble their neighbours: the interval may be too narrow, try more "
                  "--blocks)"
                : " (blocks resemble their neighbours: the interval is widened)";
  }
  return text;
}

std::string RatioShown(const ComparedRow& row, const TerminalStyle& style) {
  return row.difference ? DifferenceText(row, style)
         : row.ratio    ? RatioText(row.ratio->ratio)
         : row.point    ? RatioText(*row.point)
                        : "";
}

std::string IntervalShown(const ComparedRow& row, const TerminalStyle& style) {
  return row.difference ? DifferenceInterval(row, style)
         : row.ratio    ? RatioInterval(*row.ratio, style)
                        : "";
}

std::string VerdictShown(const ComparedRow& row) {
  return row.difference ? fmt::format("{} ({})", VerdictText(row), row.missing)
         : row.ratio    ? VerdictText(row)
                        : row.missing;
}

}  // namespace

Table RowsTable(const ComparisonResult& result, const std::vector<ComparedRow>& rows,
                const TerminalStyle& style) {
  const harness::ComparisonPlan& plan = result.plan;
  const auto name_of = [&plan](std::size_t alternative) {
    return plan.alternatives[alternative].name;
  };
  const auto number = [&style](const ComparedRow& row, std::optional<double> value) {
    return NumberCell(value, [&](double one) { return MetricText(*row.metric, one, style); });
  };
  TableOf<ComparedRow> table;
  table.Add({.name = "workload", .media = kInRows},
            [&](const ComparedRow& row) { return plan.workloads[row.workload].name; });
  table.Add({.name = "metric", .media = kInRows},
            [](const ComparedRow& row) { return row.metric->name; });
  table.Add({.name = "metric", .media = kForPeople}, [&](const ComparedRow& row) -> Cell {
    return row.alternative == 0 ? MetricLabel(*row.metric) + BetterArrow(row.metric->better, style)
                                : "";
  });
  table.Add({.name = "unit", .media = kInRows},
            [](const ComparedRow& row) { return row.metric->unit; });
  table.Add({.name = "better", .media = kInRows},
            [](const ComparedRow& row) { return row.metric->better; });
  table.Add({"alternative"}, [&](const ComparedRow& row) { return name_of(row.alternative); });
  table.Add({"median", kRight, kEverywhere, 1}, [&](const ComparedRow& row) {
    return row.spread ? number(row, row.spread->median) : Cell("", style.Dash());
  });
  table.Add({"spread", kLeft, kForPeople, 2}, [&](const ComparedRow& row) -> Cell {
    return row.spread ? SpreadText(*row.spread, style) : "";
  });
  using harness::Spread;
  for (const auto& [name, part] :
       {std::pair{"low", &Spread::low}, std::pair{"high", &Spread::high}}) {
    table.Add({.name = name, .media = kInRows},
              [&, part](const ComparedRow& row) { return number(row, Mapped(row.spread, part)); });
  }
  table.Add({.name = "against", .media = kInRows}, [&](const ComparedRow& row) -> Cell {
    return row.against ? name_of(*row.against) : "";
  });
  table.Add({.name = "ratio", .align = kRight, .media = kForPeople, .opens_group = true},
            [&](const ComparedRow& row) { return RatioShown(row, style); });
  table.Add({.name = "ratio", .media = kInRows},
            [](const ComparedRow& row) { return NumberCell(row.point, &RatioText); });
  table.Add({plan.budget ? "interval" : LevelText(result.comparison.level) + " interval", kLeft,
             kForPeople},
            [&](const ComparedRow& row) { return IntervalShown(row, style); });
  using stats::RatioEstimate;
  for (const auto& [name, part] : {std::pair{"ratio low", &RatioEstimate::low},
                                   std::pair{"ratio high", &RatioEstimate::high}}) {
    table.Add({.name = name, .media = kInRows}, [part](const ComparedRow& row) {
      return NumberCell(Mapped(row.ratio, part), &RatioText);
    });
  }
  table.Add({.name = "level", .media = kInRows},
            [](const ComparedRow& row) -> Cell { return row.ratio ? ExactNumber(row.level) : ""; });
  table.Add({.name = "blocks", .media = kInRows}, [](const ComparedRow& row) -> Cell {
    return row.against ? std::to_string(row.pairs) : "";
  });
  table.Add({"verdict"}, [](const ComparedRow& row) {
    return Cell(row.verdict ? std::string(harness::ToText(*row.verdict)) : "", VerdictShown(row));
  });
  table.Add({.name = "reason", .media = kInRows}, &ComparedRow::missing);
  using stats::DifferenceEstimate;
  for (const auto& [name, part] : {std::pair{"difference", &DifferenceEstimate::difference},
                                   std::pair{"difference low", &DifferenceEstimate::low},
                                   std::pair{"difference high", &DifferenceEstimate::high}}) {
    table.Add({.name = name, .media = kInRows}, [&, part](const ComparedRow& row) {
      return number(row, Mapped(row.difference, part));
    });
  }
  return std::move(table).Rows(rows);
}

bool IsShown(const ComparisonResult& result, const ComparedRow& row) {
  const bool is_known =
      std::ranges::any_of(result.comparison.rows, [&row](const ComparedRow& other) {
        return other.workload == row.workload && other.metric == row.metric && other.spread;
      });
  const bool chosen = !result.plan.metrics.empty();  // then a row without a value has the reason
  return row.missing != harness::kNotReported && (chosen || is_known);
}

}  // namespace schedbench::report

#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/graph/sections.hpp"
#include "report/parts/plan_text.hpp"
#include "report/whatif/whatif_report.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

namespace schedbench::report {

namespace {

using harness::LeverResult;
using harness::TimeRange;
using harness::WhatIfCell;
using harness::WhatIfResult;

// Returns "1.04 of measured 3.98 ms, ready p99 0.8 of 12.3 µs", or that nothing was measured.
std::string MeasuredText(const WhatIfCell& cell, const TerminalStyle& style) {
  if (!cell.measured) {
    return "extrapolated";
  }
  const double makespan = cell.measured->makespan.median;
  std::string text = fmt::format("{:.2f} of measured {}", cell.makespan.median / makespan,
                                 Duration(makespan, style));
  if (cell.ready_p99 && cell.measured->ready_p99) {
    const double ready = cell.measured->ready_p99->median;
    text += fmt::format(", ready p99 {:.2g} of {}", cell.ready_p99->median / ready,
                        Duration(ready, style));
  }
  return text;
}

using RangeOf = std::function<std::optional<TimeRange>(const WhatIfCell&)>;

// Adds the time, and its range: one column for people, two for programs.
void AddRange(TableOf<WhatIfCell>& table, const std::string& name, const RangeOf& range,
              const TerminalStyle& style) {
  table.Add({.name = name, .align = kRight, .unit = "ns"}, [range, &style](const auto& cell) {
    const auto one = range(cell);
    return one ? TimeCell(one->median, style) : Cell("", style.Dash());
  });
  table.Add({.name = "range", .media = kForPeople}, [range, &style](const auto& cell) -> Cell {
    const auto one = range(cell);
    return one ? fmt::format("{} to {}", Duration(one->low, style), Duration(one->high, style))
               : "";
  });
  for (const auto& [end, part] :
       {std::pair{" low", &TimeRange::low}, std::pair{" high", &TimeRange::high}}) {
    table.Add({.name = name + end, .media = kInRows, .unit = "ns"},
              [range, part, &style](const auto& cell) {
                return TimeCell(Mapped(range(cell), part), style);
              });
  }
}

Table CellsTable(const WhatIfResult& result, const TerminalStyle& style) {
  const bool has_settings =
      result.plan.schedulers.size() > 1 || result.plan.schedulers.front() != "fast";
  TableOf<WhatIfCell> table;
  table.Add({"workers", kRight}, &WhatIfCell::workers);
  table.Add({.name = "scheduler", .media = has_settings ? kEverywhere : kInRows},
            [&result](const WhatIfCell& cell) {
              const std::string& name = result.plan.schedulers[cell.scheduler];
              return Cell(name, config::Escaped(name));
            });
  AddRange(table, "makespan", [](const WhatIfCell& cell) { return cell.makespan; }, style);
  table.Add({"speed-up", kRight, kForPeople}, [&result](const WhatIfCell& cell) {
    return fmt::format("{:.2f}",
                       result.cells[cell.scheduler].makespan.median / cell.makespan.median);
  });
  AddRange(table, "ready p99", [](const WhatIfCell& cell) { return cell.ready_p99; }, style);
  using Prediction = sim_scaling::GraphPrediction;
  bool is_first = true;
  for (const auto& [name, share] :
       {std::pair{"work", &Prediction::work}, std::pair{"transfer", &Prediction::transfer},
        std::pair{"search", &Prediction::search}, std::pair{"idle", &Prediction::idle}}) {
    table.Add({.name = name, .align = kRight, .opens_group = std::exchange(is_first, false)},
              [share](const WhatIfCell& cell) { return ShareCell(cell.prediction.*share); });
  }
  using harness::MeasuredCell;
  table.Add({.name = "measured", .media = kInRows, .unit = "ns"}, [&style](const auto& cell) {
    const auto makespan = Mapped(cell.measured, &MeasuredCell::makespan);
    return TimeCell(Mapped(makespan, &TimeRange::median), style);
  });
  table.Add({.name = "measured ready p99", .media = kInRows, .unit = "ns"},
            [&style](const WhatIfCell& cell) {
              const auto ready = Mapped(cell.measured, &MeasuredCell::ready_p99);
              return TimeCell(Mapped(ready, &TimeRange::median), style);
            });
  table.Add({.name = "extrapolated", .media = kInRows},
            [](const WhatIfCell& cell) { return FlagCell(!cell.measured); });
  table.Add({.name = "predicted", .media = kForPeople, .opens_group = true},
            [&style](const WhatIfCell& cell) { return MeasuredText(cell, style); });
  return std::move(table).Rows(result.cells);
}

Table LeversTable(const WhatIfResult& result) {
  TableOf<LeverResult> table;
  table.Add({fmt::format("with {}", Plural(result.plan.lever_workers, "worker"))},
            [](const LeverResult& lever) { return lever.lever->name; });
  table.Add({"makespan", kRight}, [](const LeverResult& lever) -> Cell {
    return std::abs(lever.ratio - 1) <= lever.spread
               ? "no difference"
               : fmt::format("{:+.1f} %", 100 * (lever.ratio - 1));
  });
  table.Add({"if"}, [](const LeverResult& lever) { return lever.lever->doc; });
  return std::move(table).Rows(result.levers);
}

// Returns warnings, which precede the table.
std::vector<Sentence> TrustOf(const WhatIfResult& result) {
  const bool is_fit = result.fit_error > harness::kLargeError;
  if (!is_fit && result.model_error <= harness::kLargeError) {
    return {};
  }
  return {{fmt::format("do not trust these predictions: the model is {} off with {}",
                       Percent(is_fit ? result.fit_error : result.model_error),
                       is_fit ? "one worker, to which it was fitted" : "several workers"),
           "record the graph again on a calmer machine, or with more work in each task"}};
}

std::vector<Sentence> ErrorsOf(const WhatIfResult& result) {
  std::vector<Sentence> sentences{
      {result.checked_cells == 0
           ? "the model was not checked: this machine has one CPU"
           : fmt::format("error of the model: {}, the largest of {} with more than one worker; "
                         "ranges contain it",
                         Percent(result.model_error),
                         Plural(result.checked_cells, "measured prediction"))}};
  if (result.ready_factor) {
    sentences.push_back(
        {fmt::format("ready p99: predicted and measured differ by a factor of "
                     "{:.2g} at most; ranges contain it",
                     *result.ready_factor)});
  }
  return sentences;
}

}  // namespace

Document DocumentOf(const WhatIfReport& report, const TerminalStyle& style) {
  const WhatIfResult& result = report.result;
  Document document{.title = "Predictions for " + config::Escaped(report.file, 200),
                    .sections = GraphSections(report.graph, report.analysis, style),
                    .origin = Origin{report.machine, report.command, result.plan.seed},
                    .rows = CellsTable(result, style)};
  document.sections.push_back({.title = "Predictions",
                               .lead = TrustOf(result),
                               .table = document.rows,
                               .details = ErrorsOf(result)});
  document.sections.push_back({.title = "What would pay", .table = LeversTable(result)});
  return document;
}

}  // namespace schedbench::report

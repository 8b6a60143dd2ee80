#include "config/quote.hpp"
#include "report/graph/text.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"
#include "report/whatif/whatif_report.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::WhatIfCell;
using harness::WhatIfResult;

std::string RangeText(const harness::TimeRange& range, const TerminalStyle& style) {
  return fmt::format("{} to {}", Duration(range.low, style), Duration(range.high, style));
}

// "1.04 of measured 3.98 ms, ready p99 0.8 of 12.3 µs", or that nothing was.
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

std::string Cells(const WhatIfResult& result, const TerminalStyle& style) {
  const bool has_settings =
      result.plan.schedulers.size() > 1 || result.plan.schedulers.front() != "fast";
  TextTable table{{"  workers", kRight}};
  if (has_settings) {
    table.AddColumn("scheduler");
  }
  table.AddColumns({{"makespan", kRight},
                    {"range"},
                    {"speed-up", kRight},
                    {"ready p99", kRight},
                    {"range"},
                    {"work", kRight, true},
                    {"transfer", kRight},
                    {"search", kRight},
                    {"idle", kRight},
                    {"predicted", kLeft, true}});
  for (const WhatIfCell& cell : result.cells) {
    const double first = result.cells[cell.scheduler].makespan.median;
    std::vector<std::string> row{std::to_string(cell.workers)};
    if (has_settings) {
      row.push_back(config::Escaped(result.plan.schedulers[cell.scheduler]));
    }
    row.insert(row.end(), {Duration(cell.makespan.median, style), RangeText(cell.makespan, style),
                           fmt::format("{:.2f}", first / cell.makespan.median),
                           cell.ready_p99 ? Duration(cell.ready_p99->median, style) : style.Dash(),
                           cell.ready_p99 ? RangeText(*cell.ready_p99, style) : "",
                           Percent(cell.prediction.work), Percent(cell.prediction.transfer),
                           Percent(cell.prediction.search), Percent(cell.prediction.idle),
                           MeasuredText(cell, style)});
    table.AddRow(std::move(row));
  }
  return table.Render(style);
}

std::string LeversText(const WhatIfResult& result, const TerminalStyle& style) {
  TextTable table{{fmt::format("  with {}", Plural(result.plan.lever_workers, "worker"))},
                  {"makespan", kRight},
                  {"if"}};
  for (const harness::LeverResult& lever : result.levers) {
    table.AddRow({fmt::format("  {}", lever.lever->name),
                  std::abs(lever.ratio - 1) <= lever.spread
                      ? "no difference"
                      : fmt::format("{:+.1f} %", 100 * (lever.ratio - 1)),
                  std::string(lever.lever->doc)});
  }
  return table.Render(style);
}

// Before the table: the reader is warned first.
std::string TrustText(const WhatIfResult& result) {
  const bool is_fit = result.fit_error > harness::kLargeError;
  if (!is_fit && result.model_error <= harness::kLargeError) {
    return "";
  }
  return fmt::format(
      "  do not trust these predictions: the model is {} off with {}    record the graph again "
      "on a calmer machine, or with more work in each task\n",
      Percent(is_fit ? result.fit_error : result.model_error),
      is_fit ? "one worker, to which it was fitted" : "several workers");
}

}  // namespace

std::string RenderTable(const WhatIfReport& report, const TerminalStyle& style) {
  const WhatIfResult& result = report.result;
  std::string text = GraphText(report.graph, report.analysis, style);
  text += "\n" + TrustText(result) + Cells(result, style);
  if (result.checked_cells > 0) {
    text += fmt::format(
        "  error of the model: {}, the largest of {} with more than one worker; ranges contain "
        "it\n",
        Percent(result.model_error), Plural(result.checked_cells, "measured prediction"));
  } else {
    text += "  the model was not checked: this machine has one CPU\n";
  }
  if (result.ready_factor) {
    text += fmt::format(
        "  ready p99: predicted and measured differ by a factor of {:.2g} at most; ranges contain "
        "it\n",
        *result.ready_factor);
  }
  text += "\n" + LeversText(result, style);
  return text + "\n" + OriginLines(report.machine, report.command, result.plan.seed, style);
}

}  // namespace schedbench::report

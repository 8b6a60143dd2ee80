#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"
#include "report/whatif/whatif_report.hpp"
#include "simulation/messages.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json RangeJson(const harness::TimeRange& range) {
  return {{"median", JsonNumber(range.median)},
          {"low", JsonNumber(range.low)},
          {"high", JsonNumber(range.high)}};
}

ordered_json OptionalRange(const std::optional<harness::TimeRange>& range) {
  return range ? RangeJson(*range) : ordered_json(nullptr);
}

ordered_json CellJson(const WhatIfReport& report, const harness::WhatIfCell& cell) {
  return {
      {"workers", cell.workers},
      {"scheduler", report.result.plan.schedulers[cell.scheduler]},
      {"makespan_ns", RangeJson(cell.makespan)},
      {"ready_p99_ns", OptionalRange(cell.ready_p99)},
      {"rounds_ns", cell.prediction.makespans_ns},
      {"work", JsonNumber(cell.prediction.work)},
      {"transfer", JsonNumber(cell.prediction.transfer)},
      {"search", JsonNumber(cell.prediction.search)},
      {"idle", JsonNumber(cell.prediction.idle)},
      {"extrapolated", !cell.measured.has_value()},
      {"measured_ns", cell.measured ? RangeJson(cell.measured->makespan) : ordered_json(nullptr)},
      {"measured_ready_p99_ns",
       cell.measured ? OptionalRange(cell.measured->ready_p99) : ordered_json(nullptr)}};
}

}  // namespace

std::string RenderWhatIfJson(const WhatIfReport& report, const TerminalStyle& /*style*/) {
  const harness::WhatIfResult& result = report.result;
  ordered_json cells = ordered_json::array();
  for (const harness::WhatIfCell& cell : result.cells) {
    cells.push_back(CellJson(report, cell));
  }
  ordered_json levers = ordered_json::array();
  for (const harness::LeverResult& lever : result.levers) {
    levers.push_back({{"name", lever.lever->name},
                      {"doc", lever.lever->doc},
                      {"makespan_ratio", JsonNumber(lever.ratio)}});
  }
  ordered_json path = ordered_json::array();
  for (const graph::PathPart& part : report.analysis.path) {
    path.push_back(
        {{"task", report.graph.labels[part.label]}, {"ns", part.ns}, {"runs", part.runs}});
  }
  return JsonText({{"schema_version", harness::kSchemaVersion},
                   {"kind", "whatif"},
                   {"complete", true},
                   {"graph",
                    {{"file", report.file},
                     {"hash", fmt::format("{:016x}", graph::StructureHash(report.graph))},
                     {"fibers", report.analysis.fibers},
                     {"plain_tasks", report.analysis.plain_tasks},
                     {"work_ns", report.analysis.work_ns},
                     {"span_ns", report.analysis.span_ns},
                     {"parallelism", JsonNumber(report.analysis.Parallelism())},
                     {"critical_path", std::move(path)}}},
                   {"open", result.plan.is_open},
                   {"predictions", std::move(cells)},
                   {"model_error", result.checked_cells == 0 ? ordered_json(nullptr)
                                                             : JsonNumber(result.model_error)},
                   {"ready_p99_factor",
                    result.ready_factor ? JsonNumber(*result.ready_factor) : ordered_json(nullptr)},
                   {"fit_error", JsonNumber(result.fit_error)},
                   {"checked_predictions", result.checked_cells},
                   {"lever_workers", result.plan.lever_workers},
                   {"levers", std::move(levers)},
                   {"costs_ns", ordered_json::parse(ToLine(result.costs)).at("costs")},
                   {"seed", result.plan.seed},
                   {"machine", MachineJson(report.machine)},
                   {"build", BuildJson()},
                   {"command", report.command}});
}

}  // namespace schedbench::report

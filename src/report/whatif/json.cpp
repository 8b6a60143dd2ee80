#include "record/record.hpp"
#include "report/parts/json_parts.hpp"
#include "report/whatif/whatif_report.hpp"
#include "simulation/messages.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

Json RangeJson(const harness::TimeRange& range) {
  return {{"median", JsonNumber(range.median)},
          {"low", JsonNumber(range.low)},
          {"high", JsonNumber(range.high)}};
}

Json CellJson(const WhatIfReport& report, const harness::WhatIfCell& cell) {
  return {{"workers", cell.workers},
          {"scheduler", report.result.plan.schedulers[cell.scheduler]},
          {"makespan_ns", RangeJson(cell.makespan)},
          {"ready_p99_ns", OrNull(cell.ready_p99, &RangeJson)},
          {"rounds_ns", cell.prediction.makespans_ns},
          {"work", JsonNumber(cell.prediction.work)},
          {"transfer", JsonNumber(cell.prediction.transfer)},
          {"search", JsonNumber(cell.prediction.search)},
          {"idle", JsonNumber(cell.prediction.idle)},
          {"extrapolated", !cell.measured.has_value()},
          {"measured_ns", cell.measured ? RangeJson(cell.measured->makespan) : Json(nullptr)},
          {"measured_ready_p99_ns",
           cell.measured ? OrNull(cell.measured->ready_p99, &RangeJson) : Json(nullptr)}};
}

}  // namespace

std::string RenderJson(const WhatIfReport& report) {
  const harness::WhatIfResult& result = report.result;
  const auto cell_json = [&report](const harness::WhatIfCell& cell) {
    return CellJson(report, cell);
  };
  const auto lever_json = [](const harness::LeverResult& lever) -> Json {
    return {{"name", lever.lever->name},
            {"doc", lever.lever->doc},
            {"makespan_ratio", JsonNumber(lever.ratio)}};
  };
  const auto part_json = [&report](const graph::PathPart& part) -> Json {
    return {{"task", report.graph.labels[part.label]}, {"ns", part.ns}, {"runs", part.runs}};
  };
  Json root = ResultHead("whatif", true);
  root.update(
      {{"graph",
        {{"file", report.file},
         {"hash", fmt::format("{:016x}", graph::StructureHash(report.graph))},
         {"fibers", report.analysis.fibers},
         {"plain_tasks", report.analysis.plain_tasks},
         {"work_ns", report.analysis.work_ns},
         {"span_ns", report.analysis.span_ns},
         {"parallelism", JsonNumber(report.analysis.Parallelism())},
         {"critical_path", ArrayOf(report.analysis.path, part_json)}}},
       {"open", result.plan.is_open},
       {"predictions", ArrayOf(result.cells, cell_json)},
       {"model_error", result.checked_cells == 0 ? Json(nullptr) : JsonNumber(result.model_error)},
       {"ready_p99_factor", JsonNumber(result.ready_factor)},
       {"fit_error", JsonNumber(result.fit_error)},
       {"checked_predictions", result.checked_cells},
       {"lever_workers", result.plan.lever_workers},
       {"levers", ArrayOf(result.levers, lever_json)},
       {"costs_ns", record::ToJson(result.costs)},
       {"seed", result.plan.seed}});
  return JsonText(std::move(root), report.machine, report.command);
}

}  // namespace schedbench::report

#include "base/vector_of.hpp"
#include "report/parts/json_parts.hpp"
#include "report/whatif/whatif_report.hpp"
#include "simulation/messages.hpp"

#include <fmt/core.h>

namespace schedbench::graph {

static record::Of<Analysis> RecordOf(const Analysis* /*type*/) {
  using T = Analysis;
  return {
      "GraphAnalysis",
      {{"fibers", &T::fibers, ""},
       {"plain_tasks", &T::plain_tasks, ""},
       {"work_ns", &T::work_ns, "Of all computations."},
       {"span_ns", &T::span_ns, "Of the critical path."},
       {"parallelism", [](const T& analysis) { return analysis.Parallelism(); }, "Work by span."}}};
}

}  // namespace schedbench::graph

namespace schedbench::harness {

static record::Of<TimeRange> RecordOf(const TimeRange* /*type*/) {
  using T = TimeRange;
  return {"TimeRange", {{"median", &T::median, ""}, {"low", &T::low, ""}, {"high", &T::high, ""}}};
}

static record::Of<LeverResult> RecordOf(const LeverResult* /*type*/) {
  using T = LeverResult;
  return {
      "Lever",
      {{"name", [](const T& lever) { return lever.lever->name; }, ""},
       {"doc", [](const T& lever) { return lever.lever->doc; }, "What is faster."},
       {"makespan_ratio", &T::ratio, "The makespan with these costs halved, by that without."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

// A part of the critical path.
struct WhatIfPathPart {
  std::string task;
  std::uint64_t ns;
  std::size_t runs;
};

record::Of<WhatIfPathPart> RecordOf(const WhatIfPathPart* /*type*/) {
  using T = WhatIfPathPart;
  return {"PathPart",
          {{"task", &T::task, "Its name."},
           {"ns", &T::ns, "Of its computations."},
           {"runs", &T::runs, "How many these are."}}};
}

struct WhatIfGraph {
  const WhatIfReport* report;
};

record::Of<WhatIfGraph> RecordOf(const WhatIfGraph* /*type*/) {
  using T = WhatIfGraph;
  return {"Graph",
          {{"file", [](const T& graph) { return graph.report->file; }, ""},
           {"hash",
            [](const T& graph) {
              return fmt::format("{:016x}", graph::StructureHash(graph.report->graph));
            },
            "Of the structure, in hexadecimal digits."},
           {record::kInline, [](const T& graph) { return graph.report->analysis; }, ""},
           {"critical_path",
            [](const T& graph) {
              return VectorOf(graph.report->analysis.path, [&](const auto& part) {
                return WhatIfPathPart{graph.report->graph.labels[part.label], part.ns, part.runs};
              });
            },
            "What tasks with one name computed on it, the longest first."}}};
}

struct WhatIfPrediction : PartOf<WhatIfReport, harness::WhatIfCell> {};

record::Of<WhatIfPrediction> RecordOf(const WhatIfPrediction* /*type*/) {
  using T = WhatIfPrediction;
  return {
      "Prediction",
      {{"workers", [](const T& one) { return one.element->workers; }, "How many."},
       {"scheduler",
        [](const T& one) { return one.result->result.plan.schedulers[one.element->scheduler]; },
        "fast, with the settings that differ from its defaults."},
       {"makespan_ns", [](const T& one) { return one.element->makespan; },
        "Predicted. The range has the simulated rounds and the error of the model."},
       {"ready_p99_ns", [](const T& one) { return one.element->ready_p99; },
        "How long a task that can run waits for a worker, predicted like makespan_ns; null: too "
        "few tasks."},
       {"rounds_ns", [](const T& one) { return one.element->prediction.makespans_ns; },
        "Each simulated round."},
       {"work", [](const T& one) { return one.element->prediction.work; },
        "Share of the time of all workers."},
       {"transfer", [](const T& one) { return one.element->prediction.transfer; },
        "Share in which they wait for cache lines."},
       {"search", [](const T& one) { return one.element->prediction.search; },
        "Share in which they look for work."},
       {"idle", [](const T& one) { return one.element->prediction.idle; },
        "Share in which they are parked."},
       {"extrapolated", [](const T& one) { return !one.element->measured.has_value(); },
        "Whether this machine has too few CPUs to check it."},
       {"measured_ns",
        [](const T& one) {
          return Mapped(one.element->measured, &harness::MeasuredCell::makespan);
        },
        "Of replays on this machine; null: none."},
       {"measured_ready_p99_ns",
        [](const T& one) {
          return Mapped(one.element->measured, &harness::MeasuredCell::ready_p99);
        },
        "The same of replays on this machine; null: not measured."}}};
}

}  // namespace

record::Record RecordOf(const WhatIfReport* /*type*/) {
  using T = WhatIfReport;
  using Result = harness::WhatIfResult;
  return ResultRecord<"whatif", T>(
      {{"complete", [](const T& /*report*/) { return true; },
        "Always true: an interrupted prediction has no result."},
       {"graph", [](const T& report) { return WhatIfGraph{&report}; }, "The task graph."},
       {"open", [](const T& report) { return report.result.plan.is_open; },
        "Whether what came from outside comes at the recorded times."},
       {"predictions",
        [](const T& report) { return PartsOf<WhatIfPrediction>(report, report.result.cells); },
        "For each number of workers a prediction for each scheduler."},
       {"model_error",
        [](const T& report) {
          return report.result.checked_cells == 0 ? std::nullopt
                                                  : std::optional(report.result.model_error);
        },
        "The largest error of predictions that were measured, for more than one worker; null: "
        "there is none."},
       {"ready_p99_factor", &T::result, &Result::ready_factor,
        "The largest factor between a predicted and a measured ready p99, in either direction; "
        "null: none was measured."},
       {"fit_error", &T::result, &Result::fit_error,
        "The error that is left of the time on one worker, which is fitted, as a share."},
       {"checked_predictions", &T::result, &Result::checked_cells, "How many these are."},
       {"lever_workers", [](const T& report) { return report.result.plan.lever_workers; },
        "Workers of the levers."},
       {"levers", &T::result, &Result::levers,
        "Virtual speed-ups of the scheduler, the most useful first."},
       {"costs_ns", &T::result, &Result::costs,
        "What operations cost on this machine; step: of the replay of this graph."},
       {"seed", [](const T& report) { return report.result.plan.seed; }, kSeedDoc}});
}

}  // namespace schedbench::report

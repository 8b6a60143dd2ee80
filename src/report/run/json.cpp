#include "config/settings_json.hpp"
#include "metrics/metric_list.hpp"
#include "report/parts/json_parts.hpp"
#include "report/run/run_report.hpp"

#include <span>
#include <string>

namespace schedbench::report {

namespace {

// Returns `object` with the metrics added by their names.
Json MetricsJson(std::span<const metrics::MetricInfo> list, const metrics::MetricValues& values,
                 Json object = Json::object()) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    object[std::string(list[i].name)] = values[i];
  }
  return object;
}

Json TimelineJson(const harness::TimelineFigures& figures) {
  const bool has_index = figures.fairness_windows > 0;
  return {{"length_ns", figures.length_ns},
          {"wasted_ns", figures.wasted_ns},
          {"waits", figures.waits},
          {"longest_wait_ns", figures.longest_wait_ns},
          {"jain_index", has_index ? Json(figures.jain_index) : nullptr},
          {"least_jain_index", has_index ? Json(figures.least_jain_index) : nullptr},
          {"fairness_windows", figures.fairness_windows}};
}

}  // namespace

std::string RenderJson(const harness::RunResult& result) {
  const harness::RunPlan& plan = result.plan;
  Json root = ResultHead("run", result.complete);
  root["scheduler"] = plan.scheduler->name;
  root["config"] = config::ToJson(plan.config);
  root["workload"] = WorkloadJson(plan);
  root["seed"] = plan.seed;
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["rounds"] = RoundsJson(*plan.workload, result.rounds);
  root["summary"] = SummaryJson(result.summary);
  root["workers"] = ArrayOf(result.workers.size(), [&result](std::size_t i) {
    return MetricsJson(metrics::WorkerMetricList(), result.workers[i], {{"worker", i}});
  });
  root["total"] = MetricsJson(metrics::WorkerMetricList(), result.total);
  root["pool"] = MetricsJson(metrics::PoolMetricList(), result.pool);
  root["imbalance"] = JsonNumber(result.Imbalance());
  root["external_submissions"] = result.external_submissions;
  root["warmup"] = plan.warmup;
  root["rounds_planned"] = plan.rounds;
  root["peak_rss_bytes"] = result.peak_resident_bytes;
  root["failure"] = result.complete ? Json(nullptr) : Json(result.failure);
  root["diagnosis"] = LinesJson(result.diagnosis);
  root["timeout_ns"] = plan.timeout.count();
  root["command"] = result.command;
  root["observed"] = OrNull(result.observed);
  root["timeline"] = OrNull(result.timeline, &TimelineJson);
  root["perturbed"] = OrNull(result.perturbed);
  root["effective_config"] =
      result.effective_config ? config::ToJson(*result.effective_config) : Json(nullptr);
  return JsonText(root);
}

}  // namespace schedbench::report

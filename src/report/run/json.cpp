#include "config/settings_json.hpp"
#include "metrics/metric_list.hpp"
#include "report/parts/json_parts.hpp"
#include "report/run/run_report.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

void AddMetrics(std::span<const metrics::MetricInfo> list, const metrics::MetricValues& values,
                ordered_json& object) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    object[std::string(list[i].name)] = values[i];
  }
}

ordered_json Workers(const harness::RunResult& result) {
  ordered_json workers = ordered_json::array();
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    ordered_json object{{"worker", i}};
    AddMetrics(metrics::WorkerMetricList(), result.workers[i], object);
    workers.push_back(std::move(object));
  }
  return workers;
}

ordered_json TotalJson(const harness::RunResult& result) {
  ordered_json total = ordered_json::object();
  AddMetrics(metrics::WorkerMetricList(), result.total, total);
  return total;
}

ordered_json Pool(const harness::RunResult& result) {
  ordered_json pool = ordered_json::object();
  AddMetrics(metrics::PoolMetricList(), result.pool, pool);
  return pool;
}

ordered_json TimelineJson(const std::optional<harness::TimelineFigures>& figures) {
  if (!figures) {
    return nullptr;
  }
  const bool has_index = figures->fairness_windows > 0;
  return {{"length_ns", figures->length_ns},
          {"wasted_ns", figures->wasted_ns},
          {"waits", figures->waits},
          {"longest_wait_ns", figures->longest_wait_ns},
          {"jain_index", has_index ? ordered_json(figures->jain_index) : nullptr},
          {"least_jain_index", has_index ? ordered_json(figures->least_jain_index) : nullptr},
          {"fairness_windows", figures->fairness_windows}};
}

}  // namespace

std::string RenderJson(const harness::RunResult& result, const TerminalStyle& /*style*/) {
  const harness::RunPlan& plan = result.plan;
  ordered_json root;
  root["schema_version"] = harness::kSchemaVersion;
  root["kind"] = "run";
  root["complete"] = result.complete;
  root["scheduler"] = plan.scheduler->name;
  root["config"] = config::ToJson(plan.config);
  root["workload"] = WorkloadJson(plan);
  root["seed"] = plan.seed;
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["rounds"] = RoundsJson(*plan.workload, result.rounds);
  root["summary"] = SummaryJson(result.summary);
  root["workers"] = Workers(result);
  root["total"] = TotalJson(result);
  root["pool"] = Pool(result);
  root["imbalance"] = JsonNumber(result.Imbalance());
  root["external_submissions"] = result.external_submissions;
  root["warmup"] = plan.warmup;
  root["rounds_planned"] = plan.rounds;
  root["peak_rss_bytes"] = result.peak_resident_bytes;
  root["failure"] = result.complete ? ordered_json(nullptr) : ordered_json(result.failure);
  root["diagnosis"] = LinesJson(result.diagnosis);
  root["timeout_ns"] = plan.timeout.count();
  root["command"] = result.command;
  root["observed"] =
      result.observed.empty() ? ordered_json(nullptr) : ordered_json(result.observed);
  root["timeline"] = TimelineJson(result.timeline);
  root["perturbed"] =
      result.perturbed.empty() ? ordered_json(nullptr) : ordered_json(result.perturbed);
  root["effective_config"] =
      result.effective_config ? config::ToJson(*result.effective_config) : ordered_json(nullptr);
  return JsonText(root);
}

}  // namespace schedbench::report

#include "config/settings_json.hpp"
#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"
#include "report/slo/slo_report.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using harness::SloResult;
using nlohmann::ordered_json;

ordered_json Limits(const SloResult& result) {
  const auto metrics = harness::MetricsOf(*result.plan.workload);
  ordered_json limits = ordered_json::array();
  for (const harness::LatencyLimit& limit : result.limits) {
    limits.push_back({{"slo", limit.text},
                      {"metric", metrics[limit.metric]->name},
                      {"below_ns", limit.below_ns}});
  }
  return limits;
}

ordered_json ProbesJson(const SloResult& result) {
  ordered_json probes = ordered_json::array();
  for (const harness::LoadProbe& probe : result.probes) {
    probes.push_back({{"rate", probe.rate},
                      {"holds", probe.holds},
                      {"saturated", probe.saturated},
                      {"backlog_growth", JsonNumber(probe.backlog_growth)},
                      {"summary", SummaryJson(probe.summary)},
                      {"rounds", RoundsJson(*result.plan.workload, probe.rounds)}});
  }
  return probes;
}

ordered_json SearchesJson(const SloResult& result) {
  ordered_json searches = ordered_json::array();
  for (const harness::LoadBounds& search : result.searches) {
    searches.push_back({{"largest_rate", JsonNumber(search.holds)},
                        {"smallest_failing_rate", JsonNumber(search.fails)},
                        {"ending", harness::ToText(search.ending)}});
  }
  return searches;
}

}  // namespace

std::string RenderSloJson(const SloResult& result, const TerminalStyle& /*style*/) {
  const harness::RunPlan& plan = result.plan;
  const auto bounds = harness::BoundsOf(result);
  const bool is_over = bounds.has_value();
  const bool is_limit = is_over && IsRepeatable(result);
  ordered_json root;
  root["schema_version"] = harness::kSchemaVersion;
  root["kind"] = "slo";
  root["complete"] = result.complete;
  root["limits"] = Limits(result);
  root["largest_rate"] = is_limit ? JsonNumber(bounds->holds) : ordered_json(nullptr);
  root["smallest_failing_rate"] = is_limit ? JsonNumber(bounds->fails) : ordered_json(nullptr);
  root["ending"] = is_over ? ordered_json(harness::ToText(bounds->ending)) : ordered_json(nullptr);
  root["repeatable"] = is_over ? ordered_json(IsRepeatable(result)) : ordered_json(nullptr);
  root["searches"] = SearchesJson(result);
  root["range"] = {{"first", result.range.first},
                   {"lowest", result.range.lowest},
                   {"highest", result.range.highest},
                   {"resolution", result.range.resolution}};
  root["scheduler"] = plan.scheduler->name;
  root["config"] = config::ToJson(plan.config);
  root["workload"] = WorkloadJson(plan);
  root["seed"] = plan.seed;
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["probes"] = ProbesJson(result);
  root["warmup"] = plan.warmup;
  root["rounds_planned"] = plan.rounds;
  root["failure"] = result.failure.empty() ? ordered_json(nullptr) : ordered_json(result.failure);
  root["diagnosis"] = LinesJson(result.diagnosis);
  root["timeout_ns"] = plan.timeout.count();
  root["command"] = result.command;
  root["perturbed"] =
      result.perturbed.empty() ? ordered_json(nullptr) : ordered_json(result.perturbed);
  return JsonText(root);
}

}  // namespace schedbench::report

#include "config/settings_json.hpp"
#include "report/parts/json_parts.hpp"
#include "report/slo/slo_report.hpp"

#include <string>

namespace schedbench::report {

namespace {

using harness::SloResult;

Json Limits(const SloResult& result) {
  const auto metrics = harness::MetricsOf(*result.plan.workload);
  return ArrayOf(result.limits, [&metrics](const harness::LatencyLimit& limit) -> Json {
    return {
        {"slo", limit.text}, {"metric", metrics[limit.metric]->name}, {"below_ns", limit.below_ns}};
  });
}

Json ProbesJson(const SloResult& result) {
  return ArrayOf(result.probes, [&result](const harness::LoadProbe& probe) -> Json {
    return {{"rate", probe.rate},
            {"holds", probe.holds},
            {"saturated", probe.saturated},
            {"backlog_growth", JsonNumber(probe.backlog_growth)},
            {"summary", SummaryJson(probe.summary)},
            {"rounds", RoundsJson(*result.plan.workload, probe.rounds)}};
  });
}

Json SearchJson(const harness::LoadBounds& search) {
  return {{"largest_rate", JsonNumber(search.holds)},
          {"smallest_failing_rate", JsonNumber(search.fails)},
          {"ending", harness::ToText(search.ending)}};
}

}  // namespace

std::string RenderJson(const SloResult& result) {
  const harness::RunPlan& plan = result.plan;
  const auto bounds = harness::BoundsOf(result);
  const bool is_limit = bounds && IsRepeatable(result);
  Json root = ResultHead("slo", result.complete);
  root["limits"] = Limits(result);
  root["largest_rate"] = is_limit ? JsonNumber(bounds->holds) : Json(nullptr);
  root["smallest_failing_rate"] = is_limit ? JsonNumber(bounds->fails) : Json(nullptr);
  root["ending"] = OrNull(bounds, [](const harness::LoadBounds& all) {
    return harness::ToText(all.ending);
  });
  root["repeatable"] = bounds ? Json(IsRepeatable(result)) : Json(nullptr);
  root["searches"] = ArrayOf(result.searches, &SearchJson);
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
  root["failure"] = OrNull(result.failure);
  root["diagnosis"] = LinesJson(result.diagnosis);
  root["timeout_ns"] = plan.timeout.count();
  root["command"] = result.command;
  root["perturbed"] = OrNull(result.perturbed);
  return JsonText(root);
}

}  // namespace schedbench::report

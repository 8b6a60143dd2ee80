#include "harness/result.hpp"
#include "report/metg/metg_report.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json MetgRatioJson(const harness::MetgCurve& curve) {
  if (!curve.ratio) {
    return nullptr;
  }
  return {{"ratio", JsonNumber(curve.ratio->ratio)},
          {"low", JsonNumber(curve.ratio->low)},
          {"high", JsonNumber(curve.ratio->high)},
          {"verdict", harness::ToText(*curve.verdict)}};
}

ordered_json MetgPointJson(const harness::MetgPlan& plan, const harness::MetgPoint& point) {
  const auto efficiency = harness::EfficiencyOf(plan, point);
  ordered_json of_share = nullptr;
  ordered_json granularity = nullptr;
  if (efficiency) {
    of_share = {{"median", JsonNumber(efficiency->median)},
                {"low", JsonNumber(efficiency->low)},
                {"high", JsonNumber(efficiency->high)},
                {"interval", efficiency->is_interval ? "95%" : "range"}};
    granularity = JsonNumber(static_cast<double>(point.grain_ns) / efficiency->median);
  }
  return {{"grain_ns", point.grain_ns},
          {"near_result", point.fine},
          {"granularity_ns", std::move(granularity)},
          {"efficiency", std::move(of_share)},
          {"measured", SeriesJson(point.series)}};
}

ordered_json MetgCurveJson(const MetgResult& result, std::size_t index) {
  const std::size_t alternatives = result.plan.alternatives.size();
  const harness::Alternative& alternative = result.plan.alternatives[index % alternatives];
  const harness::ComparedWorkload& workload = result.plan.workloads[index / alternatives];
  const harness::MetgCurve& curve = result.curves[index];
  ordered_json points = ordered_json::array();
  for (const harness::MetgPoint& point : result.data.curves[index]) {
    points.push_back(MetgPointJson(result.plan, point));
  }
  return {{"alternative", alternative.name},
          {"scheduler", alternative.scheduler},
          {"config", ordered_json::parse(alternative.config)},
          {"runtime", alternative.runtime},
          {"workload", workload.name},
          {"parameters", ordered_json::parse(workload.parameters)},
          {"outcome", harness::ToText(curve.outcome)},
          {"failure", curve.failure},
          {"metg_ns", JsonNumber(curve.ns)},
          {"low_ns", JsonNumber(curve.low)},
          {"high_ns", JsonNumber(curve.high)},
          {"low_is_open", curve.low_is_open},
          {"high_is_open", curve.high_is_open},
          {"blocks", curve.blocks},
          {"to_first", MetgRatioJson(curve)},
          {"points", std::move(points)}};
}

}  // namespace

std::string RenderMetgJson(const MetgResult& result, const TerminalStyle& /*style*/) {
  const harness::MetgPlan& plan = result.plan;
  ordered_json curves = ordered_json::array();
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    curves.push_back(MetgCurveJson(result, i));
  }
  return JsonText(
      {{"schema_version", harness::kSchemaVersion},
       {"kind", "metg"},
       {"complete", result.data.complete && !result.data.out_of_budget},
       {"efficiency", JsonNumber(plan.efficiency)},
       {"curves", std::move(curves)},
       {"grains_ns", plan.grains},
       {"joint_level", harness::kJointLevel},
       {"min_effect", plan.min_effect},
       {"blocks", plan.blocks},
       {"rounds", plan.rounds},
       {"warmup", plan.warmup},
       {"seed", plan.seed},
       {"timeout_ns", plan.limit.count()},
       {"budget_ns", plan.budget ? ordered_json(plan.budget->count()) : ordered_json(nullptr)},
       {"perturbed",
        result.perturbed.empty() ? ordered_json(nullptr) : ordered_json(result.perturbed)},
       {"blocks_repeated", result.data.repeated},
       {"blocks_disturbed", result.data.disturbed},
       {"machine", MachineJson(result.machine)},
       {"build", BuildJson()},
       {"command", result.command}});
}

}  // namespace schedbench::report

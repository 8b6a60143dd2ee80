#include "report/metg/metg_report.hpp"
#include "report/parts/json_parts.hpp"

#include <utility>

namespace schedbench::report {

namespace {

Json MetgRatioJson(const harness::MetgCurve& curve) {
  Json ratio = RatioJson(curve.ratio);
  if (curve.ratio) {
    ratio["verdict"] = harness::ToText(*curve.verdict);
  }
  return ratio;
}

Json MetgPointJson(const harness::MetgPlan& plan, const harness::MetgPoint& point) {
  const auto efficiency = harness::EfficiencyOf(plan, point);
  return {{"grain_ns", point.grain_ns},
          {"near_result", point.fine},
          {"granularity_ns", OrNull(efficiency,
                                    [&point](const harness::Spread& share) {
                                      return JsonNumber(static_cast<double>(point.grain_ns) /
                                                        share.median);
                                    })},
          {"efficiency", SpreadJson(efficiency)},
          {"measured", record::ToJson(point.series)}};
}

Json MetgCurveJson(const MetgResult& result, std::size_t index) {
  const std::size_t alternatives = result.plan.alternatives.size();
  const harness::Alternative& alternative = result.plan.alternatives[index % alternatives];
  const harness::ComparedWorkload& workload = result.plan.workloads[index / alternatives];
  const harness::MetgCurve& curve = result.curves[index];
  const Json points =
      ArrayOf(result.data.curves[index], [&result](const harness::MetgPoint& point) {
        return MetgPointJson(result.plan, point);
      });
  return {{"alternative", alternative.name},
          {"scheduler", alternative.scheduler},
          {"config", Json::parse(alternative.config)},
          {"runtime", alternative.runtime},
          {"workload", workload.name},
          {"parameters", Json::parse(workload.parameters)},
          {"outcome", harness::ToText(curve.outcome)},
          {"failure", curve.failure},
          {"metg_ns", JsonNumber(curve.ns)},
          {"low_ns", JsonNumber(curve.low)},
          {"high_ns", JsonNumber(curve.high)},
          {"low_is_open", curve.low_is_open},
          {"high_is_open", curve.high_is_open},
          {"blocks", curve.blocks},
          {"to_first", MetgRatioJson(curve)},
          {"points", points}};
}

}  // namespace

std::string RenderJson(const MetgResult& result) {
  const harness::MetgPlan& plan = result.plan;
  Json root = ResultHead("metg", result.data.complete && !result.data.out_of_budget);
  root["efficiency"] = JsonNumber(plan.efficiency);
  root["curves"] = ArrayOf(result.curves.size(), [&result](std::size_t i) {
    return MetgCurveJson(result, i);
  });
  root["grains_ns"] = plan.grains;
  AddBlocks(plan, result.data, result.perturbed, root);
  return JsonText(std::move(root), result.machine, result.command);
}

}  // namespace schedbench::report

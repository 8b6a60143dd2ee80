#include "harness/result.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json BisectRatioJson(const std::optional<stats::RatioEstimate>& ratio) {
  if (!ratio) {
    return nullptr;
  }
  return {{"ratio", JsonNumber(ratio->ratio)},
          {"low", JsonNumber(ratio->low)},
          {"high", JsonNumber(ratio->high)}};
}

}  // namespace

std::string RenderBisectJson(const BisectResult& result, const TerminalStyle& /*style*/) {
  ordered_json steps = ordered_json::array();
  for (const BisectResult::Tested& one : result.tested) {
    steps.push_back({{"candidate", one.name},
                     {"nearer", history::ToText(one.step.nearer)},
                     {"blocks", one.step.blocks},
                     {"to_good", BisectRatioJson(one.step.to_good)},
                     {"to_bad", BisectRatioJson(one.step.to_bad)},
                     {"failure", one.step.failure.empty() ? ordered_json(nullptr)
                                                          : ordered_json(one.step.failure)}});
  }
  const bool is_fields = result.kind == BisectResult::Kind::kFields;
  return JsonText(
      {{"schema_version", harness::kSchemaVersion},
       {"kind", "bisect"},
       {"of", is_fields ? "fields" : "revisions"},
       {"outcome", ToText(result.outcome)},
       {"good", result.good},
       {"bad", result.bad},
       {"workload", result.workload},
       {"metric", result.metric},
       {"candidates", result.candidates},
       {"difference", BisectRatioJson(result.difference)},
       {"cause", result.cause},
       {"subject", result.subject.empty() ? ordered_json(nullptr) : ordered_json(result.subject)},
       {"skipped", result.skipped},
       {"effect", BisectRatioJson(result.effect)},
       {"remainder", BisectRatioJson(result.remainder)},
       {"failure", result.failure.empty() ? ordered_json(nullptr) : ordered_json(result.failure)},
       {"steps", std::move(steps)},
       {"level", history::kStepLevel},
       {"min_effect", JsonNumber(result.min_effect)},
       {"seed", result.seed},
       {"machine", MachineJson(result.machine)},
       {"build", BuildJson()},
       {"command", result.command}});
}

}  // namespace schedbench::report

#include "report/bisect/bisect_report.hpp"
#include "report/parts/json_parts.hpp"

#include <utility>

namespace schedbench::report {

std::string RenderJson(const BisectResult& result) {
  const Json steps = ArrayOf(result.tested, [](const BisectResult::Tested& one) -> Json {
    return {{"candidate", one.name},
            {"nearer", history::ToText(one.step.nearer)},
            {"blocks", one.step.blocks},
            {"to_good", RatioJson(one.step.to_good)},
            {"to_bad", RatioJson(one.step.to_bad)},
            {"failure", OrNull(one.step.failure)}};
  });
  const bool is_fields = result.kind == BisectResult::Kind::kFields;
  Json root = ResultHead("bisect", std::nullopt);
  root.update({{"of", is_fields ? "fields" : "revisions"},
               {"outcome", ToText(result.outcome)},
               {"good", result.good},
               {"bad", result.bad},
               {"workload", result.workload},
               {"metric", result.metric},
               {"candidates", result.candidates},
               {"difference", RatioJson(result.difference)},
               {"cause", result.cause},
               {"subject", OrNull(result.subject)},
               {"skipped", result.skipped},
               {"effect", RatioJson(result.effect)},
               {"remainder", RatioJson(result.remainder)},
               {"failure", OrNull(result.failure)},
               {"steps", steps},
               {"level", history::kStepLevel},
               {"min_effect", JsonNumber(result.min_effect)},
               {"seed", result.seed}});
  return JsonText(std::move(root), result.machine, result.command);
}

}  // namespace schedbench::report

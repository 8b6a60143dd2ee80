#include "report/hypotheses/hypotheses_report.hpp"
#include "report/parts/json_parts.hpp"

#include <utility>

namespace schedbench::report {

namespace {

std::string_view WayName(harness::Way way) {
  return way == harness::Way::kRises ? "rises" : "falls";
}

Json HypothesisJson(const harness::JudgedHypothesis& judged) {
  const harness::Hypothesis& hypothesis = *judged.hypothesis;
  return {{"name", hypothesis.name},
          {"source", hypothesis.source},
          {"statement", hypothesis.statement},
          {"verdict", harness::ToText(judged.judgement)},
          {"reason", judged.reason},
          {"workload", judged.plan.workloads[0].name},
          {"before", hypothesis.before},
          {"after", hypothesis.after},
          {"counters", hypothesis.counters},
          {"mechanism", RatioJson(judged.mechanism)},
          {"mechanism_claimed", WayName(hypothesis.counters_go)},
          {"throughput", RatioJson(judged.throughput)},
          {"throughput_claimed", WayName(hypothesis.throughput_goes)},
          {"blocks", judged.plan.blocks}};
}

}  // namespace

std::string RenderJson(const HypothesesResult& result) {
  Json root = ResultHead("hypotheses", result.complete);
  root.update({{"hypotheses", ArrayOf(result.judged, HypothesisJson)},
               {"min_effect", JsonNumber(result.min_effect)},
               {"level", JsonNumber(result.level)},
               {"seed", result.seed}});
  return JsonText(std::move(root), result.machine, result.command);
}

}  // namespace schedbench::report

#include "harness/result.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json RatioJson(const std::optional<stats::RatioEstimate>& ratio) {
  if (!ratio) {
    return nullptr;
  }
  return {{"ratio", JsonNumber(ratio->ratio)},
          {"low", JsonNumber(ratio->low)},
          {"high", JsonNumber(ratio->high)}};
}

std::string_view WayName(harness::Way way) {
  return way == harness::Way::kRises ? "rises" : "falls";
}

ordered_json HypothesisJson(const harness::JudgedHypothesis& judged) {
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

std::string RenderHypothesesJson(const HypothesesResult& result, const TerminalStyle& /*style*/) {
  ordered_json hypotheses = ordered_json::array();
  for (const harness::JudgedHypothesis& judged : result.judged) {
    hypotheses.push_back(HypothesisJson(judged));
  }
  return JsonText({{"schema_version", harness::kSchemaVersion},
                   {"kind", "hypotheses"},
                   {"complete", result.complete},
                   {"hypotheses", std::move(hypotheses)},
                   {"min_effect", JsonNumber(result.min_effect)},
                   {"level", JsonNumber(result.level)},
                   {"seed", result.seed},
                   {"machine", MachineJson(result.machine)},
                   {"build", BuildJson()},
                   {"command", result.command}});
}

}  // namespace schedbench::report

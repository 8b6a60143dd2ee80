#include "harness/result.hpp"
#include "report/comparison/comparison.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

#include <functional>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using harness::ComparedRow;

Json Alternatives(const harness::ComparisonPlan& plan) {
  return ArrayOf(plan.alternatives.size(), [&plan](std::size_t i) -> Json {
    const harness::Alternative& alternative = plan.alternatives[i];
    return {{"name", alternative.name},
            {"agent", alternative.command},
            {"scheduler", alternative.scheduler},
            {"config", Json::parse(alternative.config)},
            {"runtime", OrNull(alternative.runtime)},
            {"tasks", alternative.tasks},
            {"saved", i < plan.saved.count}};
  });
}

Json Ratio(const ComparedRow& row) {
  Json ratio = RatioJson(row.ratio);
  if (row.ratio) {
    ratio["level"] = row.level;
    ratio["pairs"] = row.pairs;
  }
  return ratio;
}

Json RowJson(const ComparisonResult& result, const ComparedRow& row) {
  const harness::ComparisonPlan& plan = result.plan;
  Json object{{"workload", plan.workloads[row.workload].name},
              {"metric", row.metric->name},
              {"unit", row.metric->unit},
              {"better", registry::ToText(row.metric->better)},
              {"alternative", plan.alternatives[row.alternative].name},
              {"value", SpreadJson(row.spread)}};
  if (row.against) {
    object["against"] = plan.alternatives[*row.against].name;
    object["ratio"] = Ratio(row);
    object["difference"] =
        OrNull(row.difference, [&row](const stats::DifferenceEstimate& estimate) -> Json {
          return {{"difference", JsonNumber(estimate.difference)},
                  {"low", JsonNumber(estimate.low)},
                  {"high", JsonNumber(estimate.high)},
                  {"level", row.level}};
        });
    object["point"] = JsonNumber(row.point);
    object["verdict"] = OrNull(row.verdict);
    object["blocks_to_resolve"] =
        row.pairs_to_resolve > 0 ? Json(row.pairs_to_resolve) : Json(nullptr);
    object["dependent"] = row.dependent;
    if (row.ranks) {
      object["ranks"] = {{"p", JsonNumber(row.ranks->p)},
                         {"superiority", JsonNumber(row.ranks->superiority)},
                         {"effect", stats::EffectSize(row.ranks->superiority)}};
    }
  }
  object["reason"] = OrNull(row.missing);
  return object;
}

// "verdict" is the outcome of all gates together.
void AddGates(const ComparisonResult& result, Json& root) {
  const auto row_json = [&result](const harness::GateResult& gate,
                                  const harness::GateResult::Row& judged) -> Json {
    Json row = RowJson(result, result.comparison.rows[judged.place]);
    return {{"workload", row["workload"]},
            {"alternative", row["alternative"]},
            {"ratio", row["ratio"]},
            {"reason", row["reason"]},
            {"outcome", harness::ToText(judged.outcome)},
            {"worst", judged.place == gate.worst}};
  };
  const auto gate_json = [&row_json](const harness::GateResult& gate) -> Json {
    return {{"kind", gate.gate.kind == harness::Gate::Kind::kFailIf ? "fail-if" : "require"},
            {"gate", gate.gate.text},
            {"metric", gate.gate.metric},
            {"change", gate.gate.change},
            {"outcome", harness::ToText(gate.outcome)},
            {"left_out", gate.left_out},
            {"rows", ArrayOf(gate.rows, std::bind_front(row_json, std::cref(gate)))}};
  };
  root["verdict"] = result.gates.empty()
                        ? Json(nullptr)
                        : Json(harness::ToText(harness::OutcomeOfAll(result.gates)));
  root["gates"] = ArrayOf(result.gates, gate_json);
}

Json Disturbed(const ComparisonResult& result) {
  return ArrayOf(result.data.disturbed, [&result](const harness::DisturbedBlock& block) -> Json {
    Json replaced = Json::object();
    for (std::size_t i = 0; i < block.replaced.size(); ++i) {
      // The saved alternatives come first and were not measured now.
      replaced[result.plan.alternatives[result.plan.saved.count + i].name] =
          record::ToJson(block.replaced[i]);
    }
    return {{"workload", result.plan.workloads[block.workload].name},
            {"block", block.block},
            {"reason", harness::ToText(block.by)},
            {"steal_share", block.by.steal_share},
            {"others_share", block.by.others_share},
            {"throttled", block.by.throttled},
            {"replaced", std::move(replaced)}};
  });
}

Json AgreementJson(const WorkAgreement& agreement) {
  return {
      {"count", agreement.count}, {"must_agree", agreement.must_agree}, {"same", agreement.same}};
}

Json Workloads(const ComparisonResult& result) {
  return ArrayOf(result.plan.workloads.size(), [&result](std::size_t i) -> Json {
    const harness::ComparedWorkload& workload = result.plan.workloads[i];
    Json measured = Json::object();
    for (std::size_t j = 0; j < result.plan.alternatives.size(); ++j) {
      measured[result.plan.alternatives[j].name] = record::ToJson(result.data.series[i][j]);
    }
    return {{"name", workload.name},
            {"measured_on", workload.place == nullptr ? Json(nullptr) : Json(workload.place->name)},
            {"workload", workload.entry->name},
            {"parameters", Json::parse(workload.parameters)},
            {"operation", workload.entry->operation},
            {"work", ArrayOf(AgreementsOf(result, i), &AgreementJson)},
            {"measured", std::move(measured)}};
  });
}

}  // namespace

std::string RenderJson(const ComparisonResult& result) {
  Json root =
      ResultHead("comparison", result.data.complete && !result.data.unfinished_block &&
                                   std::ranges::all_of(result.data.lost, &std::string::empty));
  AddGates(result, root);
  root["baseline"] = result.plan.saved.count == 0 ? Json(nullptr) : Json(result.plan.saved.file);
  root["alternatives"] = Alternatives(result.plan);
  root["rows"] = ArrayOf(result.comparison.rows, [&result](const ComparedRow& row) {
    return RowJson(result, row);
  });
  root["comparisons"] = result.comparison.comparisons;
  root["level"] = result.comparison.level;
  root["joint_level"] = harness::kJointLevel;
  root["min_effect"] = result.min_effect;
  root["throughput_floor"] = result.throughput_floor;
  root["blocks"] = result.plan.blocks;
  root["budget_ns"] = OrNull(result.plan.budget);
  root["rounds"] = result.plan.rounds;
  root["warmup"] = result.plan.warmup;
  root["seed"] = result.plan.seed;
  root["timeout_ns"] = result.plan.limit.count();
  root["disturbed"] = Disturbed(result);
  root["perturbed"] = OrNull(result.perturbed);
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["places"] = record::ToJson(ShownPlaces(result.plan.places, result.data.lost));
  root["workloads"] = Workloads(result);
  root["command"] = result.command;
  return JsonText(root);
}

}  // namespace schedbench::report

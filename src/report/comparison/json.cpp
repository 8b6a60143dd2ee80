#include "harness/result.hpp"
#include "report/comparison/comparison.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using nlohmann::ordered_json;

ordered_json Alternatives(const harness::ComparisonPlan& plan) {
  ordered_json alternatives = ordered_json::array();
  for (const harness::Alternative& alternative : plan.alternatives) {
    alternatives.push_back(
        {{"name", alternative.name},
         {"agent", alternative.command},
         {"scheduler", alternative.scheduler},
         {"config", ordered_json::parse(alternative.config)},
         {"runtime",
          alternative.runtime.empty() ? ordered_json(nullptr) : ordered_json(alternative.runtime)},
         {"tasks", alternative.tasks},
         {"saved", alternatives.size() < plan.saved.count}});
  }
  return alternatives;
}

ordered_json SpreadJson(const ComparedRow& row) {
  if (!row.spread) {
    return nullptr;
  }
  return {{"median", JsonNumber(row.spread->median)},
          {"low", JsonNumber(row.spread->low)},
          {"high", JsonNumber(row.spread->high)},
          {"interval", row.spread->is_interval ? "95%" : "range"}};
}

ordered_json Ratio(const ComparedRow& row) {
  if (!row.ratio) {
    return nullptr;
  }
  return {{"ratio", JsonNumber(row.ratio->ratio)},
          {"low", JsonNumber(row.ratio->low)},
          {"high", JsonNumber(row.ratio->high)},
          {"level", row.level},
          {"pairs", row.pairs},
          {"stops_short", row.ratio->stops_short}};
}

ordered_json Difference(const ComparedRow& row) {
  if (!row.difference) {
    return nullptr;
  }
  return {{"difference", JsonNumber(row.difference->difference)},
          {"low", JsonNumber(row.difference->low)},
          {"high", JsonNumber(row.difference->high)},
          {"level", row.level}};
}

ordered_json RowJson(const ComparisonResult& result, const ComparedRow& row) {
  const harness::ComparisonPlan& plan = result.plan;
  ordered_json object{{"workload", plan.workloads[row.workload].name},
                      {"metric", row.metric->name},
                      {"unit", row.metric->unit},
                      {"better", registry::ToText(row.metric->better)},
                      {"alternative", plan.alternatives[row.alternative].name},
                      {"value", SpreadJson(row)}};
  if (row.against) {
    object["against"] = plan.alternatives[*row.against].name;
    object["ratio"] = Ratio(row);
    object["difference"] = Difference(row);
    object["point"] = row.point ? JsonNumber(*row.point) : ordered_json(nullptr);
    object["verdict"] =
        row.verdict ? ordered_json(harness::ToText(*row.verdict)) : ordered_json(nullptr);
    object["blocks_to_resolve"] =
        row.pairs_to_resolve > 0 ? ordered_json(row.pairs_to_resolve) : ordered_json(nullptr);
    object["dependent"] = row.dependent;
    if (row.ranks) {
      object["ranks"] = {{"p", JsonNumber(row.ranks->p)},
                         {"superiority", JsonNumber(row.ranks->superiority)},
                         {"effect", stats::EffectSize(row.ranks->superiority)}};
    }
  }
  object["reason"] = row.missing.empty() ? ordered_json(nullptr) : ordered_json(row.missing);
  return object;
}

// "verdict" is the outcome of all gates together.
void AddGates(const ComparisonResult& result, ordered_json& root) {
  ordered_json gates = ordered_json::array();
  for (const harness::GateResult& gate : result.gates) {
    ordered_json rows = ordered_json::array();
    for (const harness::GateResult::Row& judged : gate.rows) {
      ordered_json row = RowJson(result, result.comparison.rows[judged.place]);
      rows.push_back({{"workload", row["workload"]},
                      {"alternative", row["alternative"]},
                      {"ratio", row["ratio"]},
                      {"reason", row["reason"]},
                      {"outcome", harness::ToText(judged.outcome)},
                      {"worst", judged.place == gate.worst}});
    }
    gates.push_back(
        {{"kind", gate.gate.kind == harness::Gate::Kind::kFailIf ? "fail-if" : "require"},
         {"gate", gate.gate.text},
         {"metric", gate.gate.metric},
         {"change", gate.gate.change},
         {"outcome", harness::ToText(gate.outcome)},
         {"left_out", gate.left_out},
         {"rows", std::move(rows)}});
  }
  root["verdict"] = result.gates.empty()
                        ? ordered_json(nullptr)
                        : ordered_json(harness::ToText(harness::OutcomeOfAll(result.gates)));
  root["gates"] = std::move(gates);
}

ordered_json Disturbed(const ComparisonResult& result) {
  ordered_json blocks = ordered_json::array();
  for (const harness::DisturbedBlock& block : result.data.disturbed) {
    ordered_json replaced = ordered_json::object();
    for (std::size_t i = 0; i < block.replaced.size(); ++i) {
      ordered_json rounds = ordered_json::array();
      for (const harness::RoundReply& round : block.replaced[i]) {
        rounds.push_back(ReplyJson(round));
      }
      // The saved alternatives come first and were not measured now.
      replaced[result.plan.alternatives[result.plan.saved.count + i].name] = std::move(rounds);
    }
    blocks.push_back({{"workload", result.plan.workloads[block.workload].name},
                      {"block", block.block},
                      {"reason", harness::ToText(block.by)},
                      {"steal_share", block.by.steal_share},
                      {"others_share", block.by.others_share},
                      {"throttled", block.by.throttled},
                      {"replaced", std::move(replaced)}});
  }
  return blocks;
}

ordered_json Workloads(const ComparisonResult& result) {
  ordered_json workloads = ordered_json::array();
  for (std::size_t i = 0; i < result.plan.workloads.size(); ++i) {
    const harness::ComparedWorkload& workload = result.plan.workloads[i];
    ordered_json measured = ordered_json::object();
    for (std::size_t j = 0; j < result.plan.alternatives.size(); ++j) {
      measured[result.plan.alternatives[j].name] = SeriesJson(result.data.series[i][j]);
    }
    ordered_json work = ordered_json::array();
    for (const WorkAgreement& agreement : AgreementsOf(result, i)) {
      work.push_back({{"count", agreement.count},
                      {"must_agree", agreement.must_agree},
                      {"same", agreement.same}});
    }
    workloads.push_back(
        {{"name", workload.name},
         {"measured_on",
          workload.place == nullptr ? ordered_json(nullptr) : ordered_json(workload.place->name)},
         {"workload", workload.entry->name},
         {"parameters", ordered_json::parse(workload.parameters)},
         {"operation", workload.entry->operation},
         {"work", std::move(work)},
         {"measured", std::move(measured)}});
  }
  return workloads;
}

}  // namespace

std::string RenderComparisonJson(const ComparisonResult& result, const TerminalStyle& /*style*/) {
  ordered_json root;
  root["schema_version"] = harness::kSchemaVersion;
  root["kind"] = "comparison";
  root["complete"] = result.data.complete && !result.data.unfinished_block &&
                     std::ranges::all_of(result.data.lost, &std::string::empty);
  AddGates(result, root);
  root["baseline"] =
      result.plan.saved.count == 0 ? ordered_json(nullptr) : ordered_json(result.plan.saved.file);
  root["alternatives"] = Alternatives(result.plan);
  root["rows"] = ordered_json::array();
  for (const ComparedRow& row : result.comparison.rows) {
    root["rows"].push_back(RowJson(result, row));
  }
  root["comparisons"] = result.comparison.comparisons;
  root["level"] = result.comparison.level;
  root["joint_level"] = harness::kJointLevel;
  root["min_effect"] = result.min_effect;
  root["throughput_floor"] = result.throughput_floor;
  root["blocks"] = result.plan.blocks;
  root["budget_ns"] =
      result.plan.budget ? ordered_json(result.plan.budget->count()) : ordered_json(nullptr);
  root["rounds"] = result.plan.rounds;
  root["warmup"] = result.plan.warmup;
  root["seed"] = result.plan.seed;
  root["timeout_ns"] = result.plan.limit.count();
  root["disturbed"] = Disturbed(result);
  root["perturbed"] =
      result.perturbed.empty() ? ordered_json(nullptr) : ordered_json(result.perturbed);
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["places"] = PlacesJson(result.plan.places, result.data.lost);
  root["workloads"] = Workloads(result);
  root["command"] = result.command;
  return JsonText(root);
}

}  // namespace schedbench::report

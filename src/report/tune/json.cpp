#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"
#include "report/tune/parts.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json TuneFieldsJson(const harness::TunePlan& plan) {
  ordered_json fields = ordered_json::array();
  for (const harness::TuneField& field : plan.fields) {
    fields.push_back({{"path", field.path},
                      {"values", field.values},
                      {"default", field.values[field.default_value]}});
  }
  return fields;
}

ordered_json TuneCandidatesJson(const TuneResult& result) {
  const harness::TunePlan& plan = result.plan;
  ordered_json candidates = ordered_json::array();
  for (std::size_t i = 0; i < plan.candidates.size(); ++i) {
    const harness::TuneCandidate& one = plan.candidates[i];
    ordered_json place = ordered_json::object();
    for (std::size_t field = 0; field < plan.fields.size(); ++field) {
      place[plan.fields[field].path] = plan.fields[field].values[one.place[field]];
    }
    ordered_json ratios = ordered_json::object();
    for (std::size_t objective = 0; objective < plan.objectives.size(); ++objective) {
      ratios[std::string(harness::ToText(plan.objectives[objective]))] =
          JsonNumber(SearchedRatio(result, i, objective));
    }
    ordered_json measured = ordered_json::object();
    for (std::size_t workload = 0; workload < plan.searched; ++workload) {
      measured[plan.workloads[workload].name] = SeriesJson(result.data.search[i][workload]);
    }
    candidates.push_back({{"place", std::move(place)},
                          {"changes", one.changes},
                          {"config", ordered_json::parse(one.alternative.config)},
                          {"searched_ratio", std::move(ratios)},
                          {"measured", std::move(measured)}});
  }
  return candidates;
}

ordered_json TuneWorkloadsJson(const harness::TunePlan& plan) {
  ordered_json workloads = ordered_json::array();
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const harness::ComparedWorkload& one = plan.workloads[i];
    ordered_json metrics = ordered_json::object();
    for (const harness::Objective objective : plan.objectives) {
      metrics[std::string(harness::ToText(objective))] =
          harness::MetricOf(objective, *one.entry).name;
    }
    workloads.push_back({{"workload", one.name},
                         {"parameters", ordered_json::parse(one.parameters)},
                         {"held_out", i >= plan.searched},
                         {"metrics", std::move(metrics)}});
  }
  return workloads;
}

ordered_json RungsJson(const TuneResult& result) {
  ordered_json rungs = ordered_json::array();
  for (const harness::TuneRung& rung : result.data.rungs) {
    ordered_json dropped = ordered_json::array();
    for (const auto& [candidate, reason] : rung.dropped) {
      dropped.push_back({{"candidate", candidate}, {"reason", reason}});
    }
    rungs.push_back({{"blocks", rung.blocks},
                     {"candidates", rung.candidates},
                     {"dropped", std::move(dropped)},
                     {"kept", rung.kept}});
  }
  return rungs;
}

ordered_json FinalistsJson(const TuneResult& result) {
  ordered_json finalists = ordered_json::array();
  const std::vector<std::size_t> candidates = harness::FinalistsOf(result.data);
  for (std::size_t i = 0; i < result.data.comparison.size(); ++i) {
    const bool is_winner = i >= 1 && i <= result.data.winners.size();
    ordered_json measured = ordered_json::object();
    for (std::size_t workload = 0; workload < result.plan.workloads.size(); ++workload) {
      measured[result.plan.workloads[workload].name] =
          SeriesJson(result.data.comparison[i][workload]);
    }
    finalists.push_back(
        {{"candidate", candidates[i]},
         {"role", i == 0      ? "default"
                  : is_winner ? "winner"
                              : "runner-up"},
         {"outcome", is_winner ? ordered_json(harness::ToText(result.decision.outcomes[i - 1]))
                               : ordered_json(nullptr)},
         {"measured", std::move(measured)}});
  }
  return finalists;
}

ordered_json TuneRatioJson(const TuneResult& result, const harness::TuneRatio& ratio) {
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  ordered_json interval = nullptr;
  if (ratio.ratio) {
    interval = {{"ratio", JsonNumber(ratio.ratio->ratio)},
                {"low", JsonNumber(ratio.ratio->low)},
                {"high", JsonNumber(ratio.ratio->high)}};
  }
  return {{"candidate", finalists[ratio.finalist]},
          {"against", finalists[ratio.against]},
          {"objective", harness::ToText(result.plan.objectives[ratio.objective])},
          {"scope", harness::ToText(ratio.scope)},
          {"workload", ratio.workload ? ordered_json(result.plan.workloads[*ratio.workload].name)
                                      : ordered_json(nullptr)},
          {"blocks", ratio.pairs},
          {"point", JsonNumber(ratio.point)},
          {"interval", std::move(interval)},
          {"verdict",
           ratio.verdict ? ordered_json(harness::ToText(*ratio.verdict)) : ordered_json(nullptr)},
          {"blocks_to_resolve", ratio.pairs_to_resolve},
          {"missing", ratio.missing}};
}

ordered_json TuneRatiosJson(const TuneResult& result) {
  ordered_json ratios = ordered_json::array();
  for (const harness::TuneRatio& ratio : result.decision.ratios) {
    ratios.push_back(TuneRatioJson(result, ratio));
  }
  return ratios;
}

ordered_json TuneImportanceJson(const TuneResult& result) {
  ordered_json list = ordered_json::array();
  for (const harness::FieldImportance& one : result.importance) {
    ordered_json shares = ordered_json::object();
    for (std::size_t field = 0; field < one.shares.size(); ++field) {
      shares[result.plan.fields[field].path] = JsonNumber(one.shares[field]);
    }
    list.push_back({{"objective", harness::ToText(result.plan.objectives[one.objective])},
                    {"shares", std::move(shares)},
                    {"rest", JsonNumber(one.rest)},
                    {"noise", JsonNumber(one.noise)},
                    {"model", one.is_full_grid ? "grid"
                              : one.has_curves ? "additive, parabolas"
                                               : "additive, lines"},
                    {"candidates", one.candidates},
                    {"missing", one.missing}});
  }
  return list;
}

// The candidate of the answer; null for the default.
ordered_json BestJson(const TuneResult& result) {
  return result.decision.best
             ? ordered_json(harness::FinalistsOf(result.data)[*result.decision.best])
             : ordered_json(nullptr);
}

}  // namespace

std::string RenderTuneJson(const TuneResult& result, const TerminalStyle& /*style*/) {
  const harness::TunePlan& plan = result.plan;
  ordered_json objectives = ordered_json::array();
  for (const harness::Objective objective : plan.objectives) {
    objectives.push_back(harness::ToText(objective));
  }
  // The search may end early where the comparison does not; without winners there is none.
  const bool has_no_comparison = result.data.search_cut_short && result.data.comparison.empty();
  return JsonText(
      {{"schema_version", harness::kSchemaVersion},
       {"kind", "tune"},
       {"complete", result.data.complete && !result.data.out_of_budget && !has_no_comparison},
       {"answer", harness::ToText(result.decision.answer)},
       {"best", BestJson(result)},
       {"text", AnswerText(result)},
       {"scheduler", plan.candidates.front().alternative.scheduler},
       {"objectives", std::move(objectives)},
       {"fields", TuneFieldsJson(plan)},
       {"workloads", TuneWorkloadsJson(plan)},
       {"ratios", TuneRatiosJson(result)},
       {"importance", TuneImportanceJson(result)},
       {"rungs", RungsJson(result)},
       {"finalists", FinalistsJson(result)},
       {"candidates", TuneCandidatesJson(result)},
       {"full_grid", plan.is_full_grid},
       {"impossible", plan.impossible},
       {"search_cut_short", result.data.search_cut_short},
       {"saved_config",
        result.saved_config.empty() ? ordered_json(nullptr) : ordered_json(result.saved_config)},
       {"joint_level", harness::kJointLevel},
       {"min_effect", plan.min_effect},
       {"blocks", plan.blocks},
       {"rounds", plan.rounds},
       {"warmup", plan.warmup},
       {"seed", plan.seed},
       {"timeout_ns", plan.limit.count()},
       {"budget_ns", plan.budget ? ordered_json(plan.budget->count()) : ordered_json(nullptr)},
       {"perturbed", plan.perturbed.empty() ? ordered_json(nullptr) : ordered_json(plan.perturbed)},
       {"blocks_repeated", result.data.repeated},
       {"blocks_disturbed", result.data.disturbed},
       {"machine", MachineJson(result.machine)},
       {"build", BuildJson()},
       {"command", result.command}});
}

std::string TuneEvidenceJson(const TuneResult& result) {
  ordered_json evidence{{"answer", AnswerText(result)}};
  ordered_json ratios = ordered_json::array();
  const std::size_t shown = result.decision.best.value_or(1);
  for (const harness::TuneRatio& ratio : result.decision.ratios) {
    if (ratio.finalist != shown) {
      continue;
    }
    ordered_json one{
        {"against",
         TuneCandidateName(result.plan, harness::FinalistsOf(result.data)[ratio.against])},
        {"workload", ScopeText(result.plan, ratio)},
        {"objective", harness::ToText(result.plan.objectives[ratio.objective])},
        {"ratio", TuneRatioText(ratio)}};
    if (ratio.verdict) {
      one["verdict"] = harness::ToText(*ratio.verdict);
    }
    ratios.push_back(std::move(one));
  }
  if (!result.data.winners.empty() && !result.decision.best) {
    evidence["tried"] = TuneCandidateName(result.plan, result.data.winners.front());
  }
  evidence["ratios"] = std::move(ratios);
  evidence["joint_level"] = harness::kJointLevel;
  evidence["blocks"] = result.plan.blocks;
  evidence["seed"] = result.plan.seed;
  evidence["machine"] = MachineJson(result.machine);
  evidence["build"] = BuildJson();
  evidence["command"] = result.command;
  return evidence.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace schedbench::report

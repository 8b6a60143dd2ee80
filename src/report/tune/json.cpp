#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"
#include "report/tune/parts.hpp"

#include <functional>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

Json TuneFieldJson(const harness::TuneField& field) {
  return {{"path", field.path},
          {"values", field.values},
          {"default", field.values[field.default_value]}};
}

// Returns what was measured, by the names of the workloads.
Json MeasuredJson(const harness::TunePlan& plan, const harness::TuneSeries& series) {
  Json measured = Json::object();
  for (std::size_t workload = 0; workload < series.size(); ++workload) {
    measured[plan.workloads[workload].name] = record::ToJson(series[workload]);
  }
  return measured;
}

Json TuneCandidatesJson(const TuneResult& result) {
  const harness::TunePlan& plan = result.plan;
  return ArrayOf(plan.candidates.size(), [&](std::size_t i) -> Json {
    const harness::TuneCandidate& one = plan.candidates[i];
    Json place = Json::object();
    for (std::size_t field = 0; field < plan.fields.size(); ++field) {
      place[plan.fields[field].path] = plan.fields[field].values[one.place[field]];
    }
    Json ratios = Json::object();
    for (std::size_t objective = 0; objective < plan.objectives.size(); ++objective) {
      ratios[std::string(harness::ToText(plan.objectives[objective]))] =
          JsonNumber(SearchedRatio(result, i, objective));
    }
    return {{"place", std::move(place)},
            {"changes", one.changes},
            {"config", Json::parse(one.alternative.config)},
            {"searched_ratio", std::move(ratios)},
            {"measured", MeasuredJson(plan, result.data.search[i])}};
  });
}

Json TuneWorkloadsJson(const harness::TunePlan& plan) {
  return ArrayOf(plan.workloads.size(), [&plan](std::size_t i) -> Json {
    const harness::ComparedWorkload& one = plan.workloads[i];
    Json metrics = Json::object();
    for (const harness::Objective objective : plan.objectives) {
      metrics[std::string(harness::ToText(objective))] =
          harness::MetricOf(objective, *one.entry).name;
    }
    return {{"workload", one.name},
            {"parameters", Json::parse(one.parameters)},
            {"held_out", i >= plan.searched},
            {"metrics", std::move(metrics)}};
  });
}

Json RungJson(const harness::TuneRung& rung) {
  const Json dropped = ArrayOf(rung.dropped, [](const auto& one) -> Json {
    return {{"candidate", one.first}, {"reason", one.second}};
  });
  return {{"blocks", rung.blocks},
          {"candidates", rung.candidates},
          {"dropped", dropped},
          {"kept", rung.kept}};
}

Json FinalistsJson(const TuneResult& result) {
  const std::vector<std::size_t> candidates = harness::FinalistsOf(result.data);
  return ArrayOf(result.data.comparison.size(), [&](std::size_t i) -> Json {
    const bool is_winner = i >= 1 && i <= result.data.winners.size();
    return {{"candidate", candidates[i]},
            {"role", i == 0      ? "default"
                     : is_winner ? "winner"
                                 : "runner-up"},
            {"outcome",
             is_winner ? Json(harness::ToText(result.decision.outcomes[i - 1])) : Json(nullptr)},
            {"measured", MeasuredJson(result.plan, result.data.comparison[i])}};
  });
}

Json TuneRatioJson(const TuneResult& result, const harness::TuneRatio& ratio) {
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  return {{"candidate", finalists[ratio.finalist]},
          {"against", finalists[ratio.against]},
          {"objective", harness::ToText(result.plan.objectives[ratio.objective])},
          {"scope", harness::ToText(ratio.scope)},
          {"workload", OrNull(ratio.workload,
                              [&result](std::size_t workload) {
                                return result.plan.workloads[workload].name;
                              })},
          {"blocks", ratio.pairs},
          {"point", JsonNumber(ratio.point)},
          {"interval", RatioJson(ratio.ratio)},
          {"verdict", OrNull(ratio.verdict)},
          {"blocks_to_resolve", ratio.pairs_to_resolve},
          {"missing", ratio.missing}};
}

Json TuneImportanceJson(const TuneResult& result, const harness::FieldImportance& one) {
  Json shares = Json::object();
  for (std::size_t field = 0; field < one.shares.size(); ++field) {
    shares[result.plan.fields[field].path] = JsonNumber(one.shares[field]);
  }
  return {{"objective", harness::ToText(result.plan.objectives[one.objective])},
          {"shares", std::move(shares)},
          {"rest", JsonNumber(one.rest)},
          {"noise", JsonNumber(one.noise)},
          {"model", one.is_full_grid ? "grid"
                    : one.has_curves ? "additive, parabolas"
                                     : "additive, lines"},
          {"candidates", one.candidates},
          {"missing", one.missing}};
}

}  // namespace

std::string RenderJson(const TuneResult& result) {
  const harness::TunePlan& plan = result.plan;
  const auto objective_json = [](harness::Objective objective) {
    return harness::ToText(objective);
  };
  // The candidate of the answer; null for the default.
  const auto candidate_json = [&result](std::size_t finalist) {
    return harness::FinalistsOf(result.data)[finalist];
  };
  // The search may end early where the comparison does not; without winners there is none.
  const bool has_no_comparison = result.data.search_cut_short && result.data.comparison.empty();
  Json root =
      ResultHead("tune", result.data.complete && !result.data.out_of_budget && !has_no_comparison);
  root.update({{"answer", harness::ToText(result.decision.answer)},
               {"best", OrNull(result.decision.best, candidate_json)},
               {"text", AnswerText(result)},
               {"scheduler", plan.candidates.front().alternative.scheduler},
               {"objectives", ArrayOf(plan.objectives, objective_json)},
               {"fields", ArrayOf(plan.fields, &TuneFieldJson)},
               {"workloads", TuneWorkloadsJson(plan)},
               {"ratios", ArrayOf(result.decision.ratios,
                                  std::bind_front(&TuneRatioJson, std::cref(result)))},
               {"importance", ArrayOf(result.importance,
                                      std::bind_front(&TuneImportanceJson, std::cref(result)))},
               {"rungs", ArrayOf(result.data.rungs, &RungJson)},
               {"finalists", FinalistsJson(result)},
               {"candidates", TuneCandidatesJson(result)},
               {"full_grid", plan.is_full_grid},
               {"impossible", plan.impossible},
               {"search_cut_short", result.data.search_cut_short},
               {"saved_config", OrNull(result.saved_config)}});
  root.update(record::ToJson(BlockFactsOf(plan, result.data, plan.perturbed)));
  return JsonText(std::move(root), result.machine, result.command);
}

std::string TuneEvidenceJson(const TuneResult& result) {
  Json evidence{{"answer", AnswerText(result)}};
  Json ratios = Json::array();
  const std::size_t shown = result.decision.best.value_or(1);
  for (const harness::TuneRatio& ratio : result.decision.ratios) {
    if (ratio.finalist != shown) {
      continue;
    }
    Json one{{"against",
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
  return evidence.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace schedbench::report

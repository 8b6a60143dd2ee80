#include "base/vector_of.hpp"
#include "report/parts/json_parts.hpp"
#include "report/tune/parts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::harness {

static record::Of<DroppedCandidate> RecordOf(const DroppedCandidate* /*type*/) {
  using T = DroppedCandidate;
  return {"Dropped",
          {{"candidate", &T::candidate, "Its index in candidates."},
           {"reason", &T::reason, "Why it has no value to rank."}}};
}

static record::Of<TuneRung> RecordOf(const TuneRung* /*type*/) {
  using T = TuneRung;
  return {"Rung",
          {{"blocks", &T::blocks, "Of each candidate so far."},
           {"candidates", &T::candidates, "Besides the default."},
           {"dropped", &T::dropped, "Those without a value to rank."},
           {"kept", &T::kept, "The best first."}}};
}

static record::Of<TuneField> RecordOf(const TuneField* /*type*/) {
  using T = TuneField;
  return {"Field",
          {{"path", &T::path, "Such as lifo_limit or stacks.guard."},
           {"values", &T::values, "That take part."},
           {"default", [](const T& field) { return field.values[field.default_value]; },
            "One of them."}}};
}

static record::Of<TuneRatio> RecordOf(const TuneRatio* /*type*/) {
  using T = TuneRatio;
  return {"TuneRatio",
          {{"scope", &T::scope, "Which workloads it is of."},
           {"blocks", &T::pairs, "That both have."},
           {"point", &T::point, "Median of the ratios of the blocks, also without an interval."},
           {"ratio", &T::ratio, "With its interval."},
           {"verdict", &T::verdict, "What the ratio means; null without an interval."},
           {"blocks_to_resolve",
            &T::pairs_to_resolve,
            "About how many blocks would give a verdict.",
            {record::kNull}},
           {"reason", &T::missing, report::kReasonDoc, {record::kNull}}}};
}

enum class TuneModel : std::uint8_t { kGrid, kCurves, kLines };

static constexpr std::array<std::string_view, 3> NamesOf(TuneModel) {
  return {"grid", "additive, parabolas", "additive, lines"};
}

static record::Of<FieldImportance> RecordOf(const FieldImportance* /*type*/) {
  using T = FieldImportance;
  return {"FieldImportance",
          {{"rest", &T::rest, "Likewise, of fields together, beyond each alone."},
           {"noise", &T::noise, "The share of all differences that noise alone explains."},
           {"model",
            [](const T& one) {
              return one.is_full_grid ? TuneModel::kGrid
                     : one.has_curves ? TuneModel::kCurves
                                      : TuneModel::kLines;
            },
            "What explains the differences."},
           {"candidates", &T::candidates, "That it is made of."},
           {"reason", &T::missing, report::kReasonDoc, {record::kNull}}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

constexpr const char* kObjectiveDoc = "What is to become better.";

// A value of each element, by its name.
template <typename Value>
using ByName = std::vector<std::pair<std::string, Value>>;

// Returns the measurements by the names of the workloads.
ByName<const harness::Series*> MeasuredOf(const harness::TunePlan& plan,
                                          const harness::TuneSeries& series) {
  ByName<const harness::Series*> measured;
  for (const harness::Series& one : series) {
    measured.emplace_back(plan.workloads[measured.size()].name, &one);
  }
  return measured;
}

struct ShownTuneCandidate : PartOf<TuneResult, harness::TuneCandidate> {};
struct ShownTuneWorkload : PartOf<TuneResult, harness::ComparedWorkload> {};
struct ShownFinalist : PartOf<TuneResult, harness::TuneSeries> {};
struct ShownTuneRatio : PartOf<TuneResult, harness::TuneRatio> {};
struct ShownTuneImportance : PartOf<TuneResult, harness::FieldImportance> {};

record::Of<ShownTuneCandidate> RecordOf(const ShownTuneCandidate* /*type*/) {
  using T = ShownTuneCandidate;
  return {"Candidate",
          {{"place",
            [](const T& one) {
              ByName<std::string> place;
              for (const harness::TuneField& field : one.result->plan.fields) {
                place.emplace_back(field.path, field.values[one.element->place[place.size()]]);
              }
              return place;
            },
            "The value of each field."},
           {"changes", [](const T& one) { return one.element->changes; },
            "FIELD=VALUE where it differs from the default."},
           {"config", [](const T& one) { return Json::parse(one.element->alternative.config); },
            "The settings that its agent was opened with."},
           {"searched_ratio",
            [](const T& one) {
              ByName<std::optional<double>> ratios;
              for (const harness::Objective objective : one.result->plan.objectives) {
                ratios.emplace_back(harness::ToText(objective),
                                    SearchedRatio(*one.result, one.index, ratios.size()));
              }
              return ratios;
            },
            "By objective: to the default, the median over the blocks of the search."},
           {"measured",
            [](const T& one) {
              return MeasuredOf(one.result->plan, one.result->data.search[one.index]);
            },
            "The rounds of the search, by workload."}}};
}

record::Of<ShownTuneWorkload> RecordOf(const ShownTuneWorkload* /*type*/) {
  using T = ShownTuneWorkload;
  return {"Workload",
          {{"workload", [](const T& one) { return one.element->name; }, "As it was asked for."},
           {"parameters", [](const T& one) { return Json::parse(one.element->parameters); },
            "All parameters."},
           {"held_out", [](const T& one) { return one.index >= one.result->plan.searched; },
            "Only the comparison measured it."},
           {"metrics",
            [](const T& one) {
              ByName<std::string_view> metrics;
              for (const harness::Objective objective : one.result->plan.objectives) {
                metrics.emplace_back(harness::ToText(objective),
                                     harness::MetricOf(objective, *one.element->entry).name);
              }
              return metrics;
            },
            "The metric of each objective."}}};
}

enum class FinalistRole : std::uint8_t { kDefault, kWinner, kRunnerUp };

constexpr std::array<std::string_view, 3> NamesOf(FinalistRole) {
  return {"default", "winner", "runner-up"};
}

record::Of<ShownFinalist> RecordOf(const ShownFinalist* /*type*/) {
  using T = ShownFinalist;
  static constexpr auto kRoleOf = [](const T& one) {
    return one.index == 0                                 ? FinalistRole::kDefault
           : one.index <= one.result->data.winners.size() ? FinalistRole::kWinner
                                                          : FinalistRole::kRunnerUp;
  };
  return {
      "Finalist",
      {{"candidate", [](const T& one) { return harness::FinalistsOf(one.result->data)[one.index]; },
        "Its index in candidates."},
       {"role", [](const T& one) { return kRoleOf(one); }, "What it is compared as."},
       {"outcome",
        [](const T& one) {
          return kRoleOf(one) == FinalistRole::kWinner
                     ? std::optional(one.result->decision.outcomes[one.index - 1])
                     : std::nullopt;
        },
        "Of a winner."},
       {"measured", [](const T& one) { return MeasuredOf(one.result->plan, *one.element); },
        "The rounds of the comparison, by workload."}}};
}

record::Of<ShownTuneRatio> RecordOf(const ShownTuneRatio* /*type*/) {
  using T = ShownTuneRatio;
  return {
      "RatioOfCandidates",
      {{"candidate",
        [](const T& one) { return harness::FinalistsOf(one.result->data)[one.element->finalist]; },
        "Its index in candidates."},
       {"against",
        [](const T& one) { return harness::FinalistsOf(one.result->data)[one.element->against]; },
        "The candidate that this one is compared with."},
       {"objective",
        [](const T& one) { return one.result->plan.objectives[one.element->objective]; },
        kObjectiveDoc},
       {"workload",
        [](const T& one) {
          return Mapped(one.element->workload, [&](std::size_t workload) {
            return one.result->plan.workloads[workload].name;
          });
        },
        "Null: the geometric mean of all searched workloads."},
       {record::kInline, [](const T& one) { return one.element; }, ""}}};
}

record::Of<ShownTuneImportance> RecordOf(const ShownTuneImportance* /*type*/) {
  using T = ShownTuneImportance;
  return {"Importance",
          {{"objective",
            [](const T& one) { return one.result->plan.objectives[one.element->objective]; },
            kObjectiveDoc},
           {"shares",
            [](const T& one) {
              ByName<double> shares;
              for (const double share : one.element->shares) {
                shares.emplace_back(one.result->plan.fields[shares.size()].path, share);
              }
              return shares;
            },
            "Of each field: its share of the differences that are not noise."},
           {record::kInline, [](const T& one) { return one.element; }, ""}}};
}

// A ratio in the form of the note in a config file.
struct ProvenRatio {
  std::string against;
  std::string workload;
  harness::Objective objective;
  std::string ratio;
  std::optional<harness::Verdict> verdict;
};

record::Of<ProvenRatio> RecordOf(const ProvenRatio* /*type*/) {
  using T = ProvenRatio;
  return {"ProvenRatio",
          {{"against", &T::against, "Name of the other candidate."},
           {"workload", &T::workload, "Or workloads."},
           {"objective", &T::objective, kObjectiveDoc},
           {"ratio", &T::ratio, "With its interval, in words."},
           {"verdict", &T::verdict, "Null without an interval."}}};
}

std::vector<ProvenRatio> ProvenRatiosOf(const TuneResult& result) {
  std::vector<ProvenRatio> proven;
  const std::size_t shown = result.decision.best.value_or(1);
  for (const harness::TuneRatio& ratio : result.decision.ratios) {
    if (ratio.finalist == shown) {
      proven.push_back(
          {TuneCandidateName(result.plan, harness::FinalistsOf(result.data)[ratio.against]),
           ScopeText(result.plan, ratio), result.plan.objectives[ratio.objective],
           TuneRatioText(ratio), ratio.verdict});
    }
  }
  return proven;
}

}  // namespace

record::Record RecordOf(const TuneResult* /*type*/) {
  using T = TuneResult;
  using Data = harness::TuneData;
  using Plan = harness::TunePlan;
  return ResultRecord<"tune", T>(
      {{"complete",
        [](const T& result) {
          const Data& data = result.data;
          // The search may end early; without winners there is no comparison.
          const bool has_no_comparison = data.search_cut_short && data.comparison.empty();
          return data.complete && !data.out_of_budget && !has_no_comparison;
        },
        kCutByBudgetDoc},
       {"answer", &T::decision, &harness::TuneDecision::answer,
        "better: the candidate `best` is; conditional: it is, but a single workload is proven "
        "worse; none: no setting is better than the default; unknown: there is no answer."},
       {"best",
        [](const T& result) {
          return Mapped(result.decision.best,
                        [&](std::size_t best) { return harness::FinalistsOf(result.data)[best]; });
        },
        "The index of the candidate of the answer; null: the default, or no answer."},
       {"text", [](const T& result) { return AnswerText(result); }, "The answer in one sentence."},
       {"scheduler",
        [](const T& result) { return result.plan.candidates.front().alternative.scheduler; },
        "Name of the scheduler."},
       {"objectives", &T::plan, &Plan::objectives, "What was to be improved."},
       {"fields", &T::plan, &Plan::fields, "The fields of the config that the search varied."},
       {"workloads",
        [](const T& result) { return PartsOf<ShownTuneWorkload>(result, result.plan.workloads); },
        "The searched ones first."},
       {"ratios",
        [](const T& result) { return PartsOf<ShownTuneRatio>(result, result.decision.ratios); },
        "Of the comparison on fresh data. All intervals hold at once with `joint_level`."},
       {"importance",
        [](const T& result) { return PartsOf<ShownTuneImportance>(result, result.importance); },
        "For each objective, from the first step of the search."},
       {"rungs", &T::data, &Data::rungs, "The steps of the search."},
       {"finalists",
        [](const T& result) { return PartsOf<ShownFinalist>(result, result.data.comparison); },
        "What the comparison measured."},
       {"candidates",
        [](const T& result) { return PartsOf<ShownTuneCandidate>(result, result.plan.candidates); },
        "All of them; the default is the first."},
       {"full_grid", &T::plan, &Plan::is_full_grid,
        "The candidates are all combinations of the values."},
       {"impossible", &T::plan, &Plan::impossible,
        "Combinations that were drawn and that the config forbids."},
       {"search_cut_short", &T::data, &Data::search_cut_short, "--budget ended the search."},
       {"saved_config",
        &T::saved_config,
        "The file of --save-config; null: none was written.",
        {record::kNull}},
       {record::kInline,
        [](const T& result) {
          return BlockFacts{result.plan, result.plan.min_effect, result.data,
                            result.plan.perturbed};
        },
        ""}});
}

Json TuneEvidence(const TuneResult& result) {
  Json evidence{{"answer", AnswerText(result)}};
  if (!result.data.winners.empty() && !result.decision.best) {
    evidence["tried"] = TuneCandidateName(result.plan, result.data.winners.front());
  }
  evidence["ratios"] = record::ToJson(ProvenRatiosOf(result));
  evidence["joint_level"] = harness::kJointLevel;
  evidence["blocks"] = result.plan.blocks;
  evidence["seed"] = result.plan.seed;
  evidence["machine"] = record::ToJson(result.machine);
  evidence["build"] = record::ToJson(registry::ThisBuild());
  evidence["command"] = result.command;
  return evidence;
}

}  // namespace schedbench::report

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

static const record::Record& RecordOf(const DroppedCandidate* /*type*/) {
  using T = DroppedCandidate;
  static const record::Of<T> kRecord("Dropped",
                                     {{"candidate", &T::candidate, "Its index in candidates."},
                                      {"reason", &T::reason, "Why it has no value to rank."}});
  return kRecord;
}

static const record::Record& RecordOf(const TuneRung* /*type*/) {
  using T = TuneRung;
  static const record::Of<T> kRecord("Rung",
                                     {{"blocks", &T::blocks, "Of each candidate so far."},
                                      {"candidates", &T::candidates, "Besides the default."},
                                      {"dropped", &T::dropped, "Those without a value to rank."},
                                      {"kept", &T::kept, "The best first."}});
  return kRecord;
}

static const record::Record& RecordOf(const TuneField* /*type*/) {
  using T = TuneField;
  static const record::Of<T> kRecord(
      "Field", {{"path", &T::path, "Such as lifo_limit or stacks.guard."},
                {"values", &T::values, "That take part."},
                {"default", [](const T& field) { return field.values[field.default_value]; },
                 "One of them."}});
  return kRecord;
}

static const record::Record& RecordOf(const TuneRatio* /*type*/) {
  using T = TuneRatio;
  static const record::Of<T> kRecord(
      "TuneRatio",
      {{"scope", &T::scope, "Which workloads it is of."},
       {"blocks", &T::pairs, "That both have."},
       {"point", &T::point, "Median of the ratios of the blocks, also without an interval."},
       {"ratio", &T::ratio, "With its interval."},
       {"verdict", &T::verdict, "What the ratio means; null without an interval."},
       {"blocks_to_resolve",
        &T::pairs_to_resolve,
        "About how many blocks would give a verdict.",
        {record::kNull}},
       {"reason", &T::missing, report::kReasonDoc, {record::kNull}}});
  return kRecord;
}

enum class TuneModel : std::uint8_t { kGrid, kCurves, kLines };

static constexpr std::array<std::string_view, 3> NamesOf(TuneModel) {
  return {"grid", "additive, parabolas", "additive, lines"};
}

static const record::Record& RecordOf(const FieldImportance* /*type*/) {
  using T = FieldImportance;
  static const record::Of<T> kRecord(
      "FieldImportance",
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
       {"reason", &T::missing, report::kReasonDoc, {record::kNull}}});
  return kRecord;
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

constexpr const char* kObjectiveDoc = "What is to become better.";

// A value of each element, by its name.
template <typename Value>
using ByName = std::vector<std::pair<std::string, Value>>;

// Returns what was measured, by the names of the workloads.
ByName<const harness::Series*> MeasuredOf(const harness::TunePlan& plan,
                                          const harness::TuneSeries& series) {
  ByName<const harness::Series*> measured;
  for (const harness::Series& one : series) {
    measured.emplace_back(plan.workloads[measured.size()].name, &one);
  }
  return measured;
}

// An element of a list in the result, by its index.
template <int kList>
struct TuneElement {
  const TuneResult* result;
  std::size_t index;

  static std::vector<TuneElement> All(const TuneResult& result, std::size_t count) {
    std::vector<TuneElement> all;
    while (all.size() < count) {
      all.push_back({&result, all.size()});
    }
    return all;
  }
};

using ShownTuneCandidate = TuneElement<0>;
using ShownTuneWorkload = TuneElement<1>;
using ShownFinalist = TuneElement<2>;
using ShownTuneRatio = TuneElement<3>;
using ShownTuneImportance = TuneElement<4>;

const record::Record& RecordOf(const ShownTuneCandidate* /*type*/) {
  using T = ShownTuneCandidate;
  static constexpr auto kOf = [](const T& one) -> const harness::TuneCandidate& {
    return one.result->plan.candidates[one.index];
  };
  static const record::Of<T> kRecord(
      "Candidate",
      {{"place",
        [](const T& one) {
          ByName<std::string> place;
          for (const harness::TuneField& field : one.result->plan.fields) {
            place.emplace_back(field.path, field.values[kOf(one).place[place.size()]]);
          }
          return place;
        },
        "The value of each field."},
       {"changes", [](const T& one) { return kOf(one).changes; },
        "FIELD=VALUE where it differs from the default."},
       {"config", [](const T& one) { return Json::parse(kOf(one).alternative.config); },
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
        "The rounds of the search, by workload."}});
  return kRecord;
}

const record::Record& RecordOf(const ShownTuneWorkload* /*type*/) {
  using T = ShownTuneWorkload;
  static constexpr auto kOf = [](const T& one) -> const harness::ComparedWorkload& {
    return one.result->plan.workloads[one.index];
  };
  static const record::Of<T> kRecord(
      "Workload", {{"workload", [](const T& one) { return kOf(one).name; }, "As it was asked for."},
                   {"parameters", [](const T& one) { return Json::parse(kOf(one).parameters); },
                    "All parameters."},
                   {"held_out", [](const T& one) { return one.index >= one.result->plan.searched; },
                    "Only the comparison measured it."},
                   {"metrics",
                    [](const T& one) {
                      ByName<std::string_view> metrics;
                      for (const harness::Objective objective : one.result->plan.objectives) {
                        metrics.emplace_back(harness::ToText(objective),
                                             harness::MetricOf(objective, *kOf(one).entry).name);
                      }
                      return metrics;
                    },
                    "The metric of each objective."}});
  return kRecord;
}

enum class FinalistRole : std::uint8_t { kDefault, kWinner, kRunnerUp };

constexpr std::array<std::string_view, 3> NamesOf(FinalistRole) {
  return {"default", "winner", "runner-up"};
}

const record::Record& RecordOf(const ShownFinalist* /*type*/) {
  using T = ShownFinalist;
  static constexpr auto kRoleOf = [](const T& one) {
    return one.index == 0                                 ? FinalistRole::kDefault
           : one.index <= one.result->data.winners.size() ? FinalistRole::kWinner
                                                          : FinalistRole::kRunnerUp;
  };
  static const record::Of<T> kRecord(
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
       {"measured",
        [](const T& one) {
          return MeasuredOf(one.result->plan, one.result->data.comparison[one.index]);
        },
        "The rounds of the comparison, by workload."}});
  return kRecord;
}

const record::Record& RecordOf(const ShownTuneRatio* /*type*/) {
  using T = ShownTuneRatio;
  static constexpr auto kOf = [](const T& one) -> const harness::TuneRatio& {
    return one.result->decision.ratios[one.index];
  };
  static const record::Of<T> kRecord(
      "RatioOfCandidates",
      {{"candidate",
        [](const T& one) { return harness::FinalistsOf(one.result->data)[kOf(one).finalist]; },
        "Its index in candidates."},
       {"against",
        [](const T& one) { return harness::FinalistsOf(one.result->data)[kOf(one).against]; },
        "The candidate that this one is compared with."},
       {"objective", [](const T& one) { return one.result->plan.objectives[kOf(one).objective]; },
        kObjectiveDoc},
       {"workload",
        [](const T& one) {
          const auto& workload = kOf(one).workload;
          return workload ? std::optional(one.result->plan.workloads[*workload].name)
                          : std::nullopt;
        },
        "Null: the geometric mean of all searched workloads."},
       {record::kInline, [](const T& one) { return &kOf(one); }, ""}});
  return kRecord;
}

const record::Record& RecordOf(const ShownTuneImportance* /*type*/) {
  using T = ShownTuneImportance;
  static constexpr auto kOf = [](const T& one) -> const harness::FieldImportance& {
    return one.result->importance[one.index];
  };
  static const record::Of<T> kRecord(
      "Importance",
      {{"objective", [](const T& one) { return one.result->plan.objectives[kOf(one).objective]; },
        kObjectiveDoc},
       {"shares",
        [](const T& one) {
          ByName<double> shares;
          for (const double share : kOf(one).shares) {
            shares.emplace_back(one.result->plan.fields[shares.size()].path, share);
          }
          return shares;
        },
        "Of each field: its share of the differences that are not noise."},
       {record::kInline, [](const T& one) { return &kOf(one); }, ""}});
  return kRecord;
}

// A ratio as the note in the file of a config has it.
struct ProvenRatio {
  std::string against;
  std::string workload;
  harness::Objective objective;
  std::string ratio;
  std::optional<harness::Verdict> verdict;
};

const record::Record& RecordOf(const ProvenRatio* /*type*/) {
  using T = ProvenRatio;
  static const record::Of<T> kRecord("ProvenRatio",
                                     {{"against", &T::against, "Name of the other candidate."},
                                      {"workload", &T::workload, "Or workloads."},
                                      {"objective", &T::objective, kObjectiveDoc},
                                      {"ratio", &T::ratio, "With its interval, in words."},
                                      {"verdict", &T::verdict, "Null without an interval."}});
  return kRecord;
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

const record::Record& RecordOf(const TuneResult* /*type*/) {
  using T = TuneResult;
  using Data = harness::TuneData;
  using Plan = harness::TunePlan;
  static const record::Record kRecord = ResultRecord<"tune", T>(
      {{"complete",
        [](const T& result) {
          const Data& data = result.data;
          // The search may end early where the comparison does not; without winners there is none.
          const bool has_no_comparison = data.search_cut_short && data.comparison.empty();
          return data.complete && !data.out_of_budget && !has_no_comparison;
        },
        kCutByBudgetDoc},
       {"answer", &T::decision, &harness::TuneDecision::answer,
        "better: the candidate `best` is; conditional: likewise, but a single workload is proven "
        "worse; none: no setting is better than the default; unknown: there is no answer."},
       {"best",
        [](const T& result) {
          const auto& best = result.decision.best;
          return best ? std::optional(harness::FinalistsOf(result.data)[*best]) : std::nullopt;
        },
        "The index of the candidate of the answer; null: the default, or no answer."},
       {"text", [](const T& result) { return AnswerText(result); }, "The answer in one sentence."},
       {"scheduler",
        [](const T& result) { return result.plan.candidates.front().alternative.scheduler; },
        "Name of the scheduler."},
       {"objectives", &T::plan, &Plan::objectives, "What was to be improved."},
       {"fields", &T::plan, &Plan::fields, "The fields of the config that the search varied."},
       {"workloads",
        [](const T& result) {
          return ShownTuneWorkload::All(result, result.plan.workloads.size());
        },
        "The searched ones first."},
       {"ratios",
        [](const T& result) { return ShownTuneRatio::All(result, result.decision.ratios.size()); },
        "Of the comparison on fresh data. All intervals hold at once with `joint_level`."},
       {"importance",
        [](const T& result) { return ShownTuneImportance::All(result, result.importance.size()); },
        "For each objective, from the first step of the search."},
       {"rungs", &T::data, &Data::rungs, "The steps of the search."},
       {"finalists",
        [](const T& result) { return ShownFinalist::All(result, result.data.comparison.size()); },
        "What the comparison measured."},
       {"candidates",
        [](const T& result) {
          return ShownTuneCandidate::All(result, result.plan.candidates.size());
        },
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
          return BlockFactsOf(result.plan, result.data, result.plan.perturbed);
        },
        ""}});
  return kRecord;
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

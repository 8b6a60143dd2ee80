#include "harness/tune/decision.hpp"

#include "stats/change.hpp"
#include "stats/order_statistics.hpp"
#include "stats/suspicion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace schedbench::harness {

namespace {

bool IsWorse(const TuneRatio& ratio) {
  return ratio.verdict == Verdict::kWorse || ratio.verdict == Verdict::kSlightlyWorse;
}

bool ProvesGain(const TuneRatio& ratio) {
  return ratio.verdict == Verdict::kBetter && !ratio.ratio->stops_short;
}

class TuneJudge {
 public:
  TuneJudge(const TunePlan& plan, const TuneData& data)
      : plan_(plan),
        data_(data) {
  }

  TuneDecision Draw() {
    for (std::size_t finalist = 1; finalist <= data_.winners.size(); ++finalist) {
      AddRatios(finalist);
    }
    decision_.level =
        stats::LevelOfEach(kJointLevel, std::max<std::size_t>(decision_.ratios.size(), 1));
    for (TuneRatio& ratio : decision_.ratios) {
      Estimate(ratio);
    }
    for (std::size_t finalist = 1; finalist <= data_.winners.size(); ++finalist) {
      decision_.outcomes.push_back(OutcomeOf(finalist));
    }
    ChooseAnswer();
    return std::move(decision_);
  }

 private:
  void AddRatios(std::size_t finalist) {
    for (std::size_t objective = 0; objective < plan_.objectives.size(); ++objective) {
      const auto add = [&](std::size_t against, TuneScope scope,
                           std::optional<std::size_t> workload) {
        decision_.ratios.push_back({.finalist = finalist,
                                    .against = against,
                                    .objective = objective,
                                    .scope = scope,
                                    .workload = workload});
      };
      add(0, TuneScope::kSearched, std::nullopt);
      for (std::size_t i = 0; i < plan_.workloads.size(); ++i) {
        if (i >= plan_.searched) {
          add(0, TuneScope::kHeldOut, i);
        } else if (plan_.searched > 1) {
          add(0, TuneScope::kSearchedWorkload, i);
        }
      }
      if (data_.runner_up) {
        add(data_.winners.size() + 1, TuneScope::kSearched, std::nullopt);
      }
    }
  }

  void Estimate(TuneRatio& ratio) const {
    const std::size_t first = ratio.workload.value_or(0);
    const std::size_t last = ratio.workload ? first + 1 : plan_.searched;
    const Objective objective = plan_.objectives[ratio.objective];
    const TunePairs pairs = PairsOf(plan_, objective, data_.comparison[ratio.finalist],
                                    data_.comparison[ratio.against], first, last);
    ratio.missing = pairs.missing;
    ratio.pairs = pairs.values.size();
    if (!pairs.missing.empty()) {
      return;
    }
    if (pairs.values.empty()) {
      ratio.is_short = true;
      ratio.missing = "not measured";
      return;
    }
    ratio.point = std::exp(stats::Median(pairs.values));
    ratio.ratio = stats::PairedRatio({.values = pairs.values}, decision_.level,
                                     stats::Dependence(pairs.values));
    if (!ratio.ratio) {
      ratio.is_short = true;
      ratio.missing = fmt::format("{} {}, an interval needs {}", ratio.pairs,
                                  ratio.pairs == 1 ? "block" : "blocks",
                                  stats::SmallestSampleWithInterval(decision_.level));
      return;
    }
    const stats::Change change = stats::Judge(*ratio.ratio, plan_.min_effect);
    ratio.verdict = ToVerdict(change, BetterOf(objective));
    if (change == stats::Change::kInconclusive) {
      ratio.pairs_to_resolve = std::max(
          ratio.pairs + 1, stats::PairsToResolve(*ratio.ratio, plan_.min_effect, ratio.pairs));
    }
  }

  TuneOutcome OutcomeOf(std::size_t finalist) const {
    if (!FailureOf(data_.comparison[finalist]).empty()) {
      return TuneOutcome::kFailed;
    }
    bool gains = false;
    bool loses = false;
    bool loses_somewhere = false;
    bool may_gain = false;
    for (const TuneRatio& ratio : decision_.ratios) {
      if (ratio.finalist != finalist || ratio.against != 0) {
        continue;
      }
      if (ratio.scope != TuneScope::kSearched) {
        loses_somewhere = loses_somewhere || IsWorse(ratio);
        continue;
      }
      if (!ratio.verdict) {
        return ratio.is_short ? TuneOutcome::kUnmeasured : TuneOutcome::kFailed;
      }
      gains = gains || ProvesGain(ratio);
      loses = loses || IsWorse(ratio);
      may_gain = may_gain || (*ratio.verdict != Verdict::kSame && !IsWorse(ratio));
    }
    if (!gains) {
      return may_gain ? TuneOutcome::kInconclusive : TuneOutcome::kNotBetter;
    }
    return loses             ? TuneOutcome::kTradeOff
           : loses_somewhere ? TuneOutcome::kConditional
                             : TuneOutcome::kBetter;
  }

  // Prefers a gain without a loss; of equal ones the first, which is the search's best.
  void ChooseAnswer() {
    constexpr std::array kGains{std::pair{TuneOutcome::kBetter, TuneAnswer::kBetter},
                                std::pair{TuneOutcome::kConditional, TuneAnswer::kConditional}};
    const std::vector<TuneOutcome>& outcomes = decision_.outcomes;
    for (const auto& [outcome, answer] : kGains) {
      const auto found = std::ranges::find(outcomes, outcome);
      if (found != outcomes.end()) {
        decision_.best = static_cast<std::size_t>(found - outcomes.begin()) + 1;
        decision_.answer = answer;
        return;
      }
    }
    const bool is_measured =
        std::ranges::find(outcomes, TuneOutcome::kUnmeasured) == outcomes.end() &&
        FailureOf(data_.comparison.front()).empty();
    decision_.answer = is_measured ? TuneAnswer::kNone : TuneAnswer::kUnknown;
  }

  const TunePlan& plan_;
  const TuneData& data_;
  TuneDecision decision_;
};

}  // namespace

TuneDecision Decide(const TunePlan& plan, const TuneData& data) {
  if (!data.comparison.empty()) {
    return TuneJudge(plan, data).Draw();
  }
  TuneDecision decision;
  // Every other candidate has failed.
  if (data.complete && !data.rungs.empty() && !data.search_cut_short &&
      data.unusable_default.empty()) {
    decision.answer = TuneAnswer::kNone;
  }
  return decision;
}

std::size_t BlocksForDecision(const TunePlan& plan, std::size_t winners, bool has_runner_up) {
  const std::size_t of_each = 1 + (plan.searched > 1 ? plan.searched : 0) +
                              (plan.workloads.size() - plan.searched) + (has_runner_up ? 1 : 0);
  const std::size_t ratios = std::max<std::size_t>(winners, 1) * plan.objectives.size() * of_each;
  return stats::SmallestSampleWithInterval(stats::LevelOfEach(kJointLevel, ratios));
}

}  // namespace schedbench::harness

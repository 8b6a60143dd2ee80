#include "report/tune/parts.hpp"

#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "harness/sweep/analysis.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace schedbench::report {

using harness::TuneAnswer;
using harness::TuneOutcome;
using harness::TuneRatio;
using harness::TuneScope;

namespace {

constexpr std::size_t kMostDropped = 20;  // lines; the JSON result has all
constexpr std::size_t kMostChanges = 4;   // changes in a short name
// Nothing is left to explain if the share of noise is at least this (arbitrary).
constexpr double kAllNoise = 0.995;

}  // namespace

std::string TuneCandidateName(const harness::TunePlan& plan, std::size_t candidate) {
  const std::vector<std::string>& changes = plan.candidates[candidate].changes;
  return changes.empty() ? "the default" : fmt::format("{}", fmt::join(changes, " "));
}

std::string ShortCandidateName(const harness::TunePlan& plan, std::size_t candidate) {
  const std::vector<std::string>& changes = plan.candidates[candidate].changes;
  if (changes.size() <= kMostChanges) {
    return TuneCandidateName(plan, candidate);
  }
  const std::span<const std::string> shown(changes.data(), kMostChanges - 1);
  return fmt::format("{} and {} more", fmt::join(shown, " "), changes.size() - shown.size());
}

std::string TuneRoleName(const TuneResult& result, std::size_t finalist) {
  const std::size_t winners = result.data.winners.size();
  if (finalist == 0 || finalist > winners) {
    return finalist == 0 ? "the default" : "the runner-up";
  }
  return winners == 1 ? "the winner" : fmt::format("winner {}", finalist);
}

std::string ScopeText(const harness::TunePlan& plan, const TuneRatio& ratio) {
  if (!ratio.workload) {
    return plan.searched == 1 ? config::Escaped(plan.workloads.front().name)
                              : fmt::format("all {} searched workloads", plan.searched);
  }
  return config::Escaped(plan.workloads[*ratio.workload].name) +
         (ratio.scope == TuneScope::kHeldOut ? " (held out)" : "");
}

std::string TuneRatioText(const TuneRatio& ratio) {
  if (ratio.ratio) {
    return EstimateText(*ratio.ratio);
  }
  return ratio.point ? fmt::format("{:.3g}, no interval", *ratio.point) : ratio.missing;
}

std::vector<std::string> TuneHeadline(const TuneResult& result) {
  const harness::TunePlan& plan = result.plan;
  std::vector<std::string> workloads;
  for (std::size_t i = 0; i < plan.searched; ++i) {
    workloads.push_back(config::Escaped(plan.workloads[i].name));
  }
  const auto objectives = VectorOf<std::string_view>(
      plan.objectives, [](auto objective) { return harness::ToText(objective); });
  return {config::Escaped(plan.candidates.front().alternative.name),
          fmt::format("{}", fmt::join(workloads, ", ")),
          fmt::format("{}", fmt::join(objectives, ", ")),
          fmt::format("{} of {}", Plural(plan.candidates.size(), "candidate"),
                      Plural(plan.fields.size(), "field")),
          fmt::format("compared in {} of {} and {} warm-up", Plural(plan.blocks, "block"),
                      Plural(plan.rounds, "round"), plan.warmup)};
}

bool HasShares(const harness::FieldImportance& importance) {
  return importance.missing.empty() && importance.noise < kAllNoise;
}

std::vector<Sentence> TuneReliability(const TuneResult& result) {
  std::vector<Sentence> sentences;
  for (const harness::FieldImportance& one : result.importance) {
    const std::string_view objective = harness::ToText(result.plan.objectives[one.objective]);
    const std::string more_rounds = fmt::format("--rounds {}", 4 * result.plan.rounds);
    if (!one.missing.empty()) {
      sentences.push_back({fmt::format("{}: importance not determined: {}", objective, one.missing),
                           one.candidates >= 2
                               ? fmt::format("--candidates {}", 3 * result.plan.candidates.size())
                               : ""});
      continue;
    }
    if (!HasShares(one)) {
      sentences.push_back(
          {fmt::format("{}: noise explains all differences between the candidates", objective),
           more_rounds});
      continue;
    }
    const std::string noise = Percent(one.noise);
    if (one.noise > harness::kMuchNoise) {
      sentences.push_back({fmt::format("{}: noise dominates: it explains {} of all differences, so "
                                       "the shares of the rest are unreliable",
                                       objective, noise),
                           more_rounds});
    } else {
      sentences.push_back(
          {fmt::format("{}: shares of what noise leaves; noise explains {} of all differences",
                       objective, noise)});
    }
    if (!one.is_full_grid) {
      sentences.push_back({fmt::format("{}: from a sample of {} by a sum of effects{}", objective,
                                       Plural(one.candidates, "candidate"),
                                       one.has_curves ? "" : "; numbers as straight lines")});
    }
  }
  return sentences;
}

std::vector<Note> TuneEndings(const TuneResult& result) {
  std::vector<Note> notes = EndingsOf(result.data.complete, result.data.out_of_budget, result.data);
  if (result.data.search_cut_short) {
    notes.push_back({fmt::format("the search ended early: {} of --budget are for it",
                                 Percent(harness::kSearchShare)),
                     "", "budget"});
  }
  return notes;
}

std::vector<Sentence> TuneFailures(const TuneResult& result) {
  std::vector<Sentence> failures;
  const auto add = [&](std::size_t candidate, std::string_view word, const std::string& reason) {
    failures.push_back({fmt::format("{} {}: {}", word, ShortCandidateName(result.plan, candidate),
                                    config::Escaped(reason, kLongestTuneReason))});
  };
  for (const harness::TuneRung& rung : result.data.rungs) {
    for (const auto& [candidate, reason] : rung.dropped) {
      add(candidate, "dropped", reason);
    }
  }
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  for (std::size_t i = 0; i < result.data.comparison.size(); ++i) {
    for (std::size_t workload = 0; workload < result.plan.workloads.size(); ++workload) {
      const std::string& failure = result.data.comparison[i][workload].failure;
      if (!failure.empty()) {
        add(finalists[i],
            fmt::format("failed under {}:", config::Escaped(result.plan.workloads[workload].name)),
            failure);
      }
    }
  }
  if (failures.size() > kMostDropped) {
    const std::size_t more = failures.size() - kMostDropped;
    failures.resize(kMostDropped);
    failures.push_back({fmt::format("{} more; the JSON result has all", more)});
  }
  return failures;
}

std::optional<double> SearchedRatio(const TuneResult& result, std::size_t candidate,
                                    std::size_t objective) {
  const harness::TunePairs pairs = harness::PairsOf(
      result.plan, result.plan.objectives[objective], result.data.search[candidate],
      result.data.search[harness::kDefaultCandidate], 0, result.plan.searched);
  return pairs.missing.empty() && !pairs.values.empty()
             ? std::optional(std::exp(stats::Median(pairs.values)))
             : std::nullopt;
}

std::vector<Note> NotesOn(const TuneResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.plan.perturbed, notes);
  const std::size_t needed = harness::BlocksForDecision(result.plan, result.data.winners.size(),
                                                        result.data.runner_up.has_value());
  const auto& outcomes = result.decision.outcomes;
  if (std::ranges::find(outcomes, TuneOutcome::kUnmeasured) != outcomes.end()) {
    notes.push_back(
        {fmt::format("the intervals of all ratios at once need {} blocks", needed),
         result.plan.blocks < needed ? fmt::format("--blocks {}", needed) : "a larger --budget"});
  }
  const bool stops_short = std::ranges::any_of(result.decision.ratios, [](const TuneRatio& ratio) {
    return ratio.ratio && ratio.ratio->stops_short;
  });
  if (stops_short) {
    notes.push_back({"blocks resemble their neighbours: some intervals are too narrow for a proof",
                     fmt::format("--blocks {}", 2 * result.plan.blocks)});
  }
  if (result.plan.workloads.size() == result.plan.searched) {
    notes.push_back({"no workload was held out: the answer holds for the searched ones alone",
                     "--hold-out NAME"});
  }
  return notes;
}

}  // namespace schedbench::report

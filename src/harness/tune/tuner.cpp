#include "harness/tune/tuner.hpp"

#include "harness/tune/ranking.hpp"
#include "platform/time/clock.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace schedbench::harness {

namespace {

class Tuner {
 public:
  Tuner(const TunePlan& plan, const TuneEvents& events)
      : plan_(plan),
        events_(events),
        planned_rungs_(PlannedRungs(plan).size()) {
    data_.search.assign(plan.candidates.size(), TuneSeries(plan.searched));
    data_.complete = true;
  }

  TuneData Tune() {
    Search();
    if (data_.complete && !data_.winners.empty()) {
      CompareFinalists();
    }
    return std::move(data_);
  }

 private:
  bool MayContinue() const {
    return data_.complete && !data_.search_cut_short;
  }

  void Search() {
    std::vector<std::size_t> left;
    for (std::size_t i = kDefaultCandidate + 1; i < plan_.candidates.size(); ++i) {
      left.push_back(i);
    }
    std::uint32_t from = 0;
    std::uint32_t to = kFirstBlocks;
    std::vector<Ranked> ranked;
    while (!left.empty() && MayContinue()) {
      data_.rungs.push_back({.blocks = to, .candidates = left});
      TuneRung& rung = data_.rungs.back();
      MeasureRung(left, from, to);
      data_.unusable_default = WhatTheDefaultLacks();
      if (!data_.complete || !data_.unusable_default.empty()) {
        return;
      }
      ranked = Rank(left, rung);
      const bool is_last = IsLastRung(left.size(), data_.rungs.size(), plan_.objectives.size());
      left.resize(is_last || data_.search_cut_short ? left.size()
                                                    : KeptOf(left.size(), plan_.objectives.size()));
      rung.kept = left;
      if (is_last) {
        break;
      }
      from = to;
      to *= kHalving;
    }
    Choose(std::move(left), ranked);
  }

  std::string WhatTheDefaultLacks() const {
    for (const Objective objective : plan_.objectives) {
      TunePairs values =
          LogValuesOf(plan_, objective, data_.search[kDefaultCandidate], 0, plan_.searched);
      if (!values.missing.empty()) {
        const std::string& failure = FailureOf(data_.search[kDefaultCandidate]);
        return failure.empty() ? values.missing : failure;
      }
    }
    return "";
  }

  // Orders the candidates, the best first, and removes those without a value.
  std::vector<Ranked> Rank(std::vector<std::size_t>& left, TuneRung& rung) {
    std::vector<std::size_t> with_value;
    std::vector<Scores> scores;
    for (const std::size_t candidate : left) {
      Scores of_candidate;
      std::string missing;
      for (const Objective objective : plan_.objectives) {
        const TunePairs pairs = PairsOf(plan_, objective, data_.search[candidate],
                                        data_.search[kDefaultCandidate], 0, plan_.searched);
        if (pairs.missing.empty() && pairs.values.empty()) {
          missing = "not measured";
        } else if (!pairs.missing.empty()) {
          missing = pairs.missing;
        } else {
          const double sign = BetterOf(objective) == registry::Better::kHigher ? -1 : 1;
          of_candidate.push_back(sign * stats::Median(pairs.values));
        }
      }
      const std::string& failure = FailureOf(data_.search[candidate]);
      if (missing.empty()) {
        with_value.push_back(candidate);
        scores.push_back(std::move(of_candidate));
      } else {
        rung.dropped.push_back({candidate, failure.empty() ? missing : failure});
      }
    }
    std::vector<Ranked> ranked = scores.empty() ? std::vector<Ranked>() : BestFirst(scores);
    left.clear();
    for (Ranked& one : ranked) {
      scores_[with_value[one.place]] = scores[one.place];
      one.place = with_value[one.place];
      left.push_back(one.place);
    }
    return ranked;
  }

  // Among candidates whose difference does not matter, the one with the fewest changes wins: the
  // others have some changes by chance.
  void PreferFewChanges(std::vector<std::size_t>& left) const {
    if (left.empty() || plan_.objectives.size() > 1) {
      return;
    }
    const auto changes_of = [this](std::size_t candidate) {
      return plan_.candidates[candidate].changes.size();
    };
    const double limit = scores_.at(left.front()).front() + std::log1p(plan_.min_effect);
    std::size_t simplest = 0;
    for (std::size_t i = 1; i < left.size(); ++i) {
      if (scores_.at(left[i]).front() <= limit &&
          changes_of(left[i]) < changes_of(left[simplest])) {
        simplest = i;
      }
    }
    std::rotate(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(simplest),
                left.begin() + static_cast<std::ptrdiff_t>(simplest) + 1);
  }

  void Choose(std::vector<std::size_t> left, const std::vector<Ranked>& ranked) {
    PreferFewChanges(left);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const bool is_winner =
          i == 0 || (plan_.objectives.size() > 1 && ranked[i].front == 0 && i < kMostWinners);
      if (is_winner) {
        data_.winners.push_back(left[i]);
      } else {
        data_.runner_up = left[i];
        return;
      }
    }
  }

  // Measures the blocks `from` to `to` - 1 of the candidates and the default, each alone.
  void MeasureRung(const std::vector<std::size_t>& left, std::uint32_t from, std::uint32_t to) {
    auto experiment = PlanLike<ExperimentPlan>(plan_, to - from);
    experiment.first_block = from;
    experiment.shuffles = true;
    experiment.budget = BudgetLeft(kSearchShare);
    std::vector<std::size_t> candidates{kDefaultCandidate};
    candidates.insert(candidates.end(), left.begin(), left.end());
    for (const std::size_t candidate : candidates) {
      for (std::size_t workload = 0; workload < plan_.searched; ++workload) {
        experiment.groups.push_back(GroupOf(plan_, {candidate}, workload));
      }
    }
    ExperimentData measured = harness::Measure(experiment, EventsOf(data_.rungs.size() - 1));
    for (std::size_t cell = 0; cell < measured.series.size(); ++cell) {
      data_.search[candidates[cell / plan_.searched]][cell % plan_.searched].Append(
          std::move(measured.Cell(cell)));
    }
    Count(measured);
    data_.search_cut_short = measured.out_of_budget;
  }

  // Compares the finalists side by side, under all workloads, on fresh data.
  void CompareFinalists() {
    const std::vector<std::size_t> finalists = FinalistsOf(data_);
    auto experiment = PlanLike<ExperimentPlan>(plan_, plan_.blocks);
    experiment.first_block = kFirstFreshBlock;
    experiment.budget = BudgetLeft(1);
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      experiment.groups.push_back(GroupOf(plan_, finalists, workload));
    }
    ExperimentData measured = harness::Measure(experiment, EventsOf(std::nullopt));
    data_.comparison.assign(finalists.size(), {});
    for (std::vector<Series>& group : measured.series) {
      for (std::size_t i = 0; i < finalists.size(); ++i) {
        data_.comparison[i].push_back(std::move(group[i]));
      }
    }
    Count(measured);
    data_.out_of_budget = measured.out_of_budget;
  }

  // Returns what is left of a share of the budget.
  std::optional<std::chrono::nanoseconds> BudgetLeft(double share) const {
    if (!plan_.budget) {
      return std::nullopt;
    }
    const auto of_share =
        std::chrono::duration_cast<std::chrono::nanoseconds>(*plan_.budget * share);
    const std::chrono::nanoseconds passed(platform::ElapsedNs(start_ns_));
    return std::max(of_share - passed, std::chrono::nanoseconds::zero());
  }

  ExperimentEvents EventsOf(std::optional<std::size_t> rung) const {
    return {.progress =
                [this, rung](const ExperimentProgress& progress) {
                  events_.progress({.rung = rung, .rungs = planned_rungs_, .of_step = progress});
                },
            .cancelled = events_.cancelled,
            .known = events_.known,
            .measured = events_.measured,
            .measure_block = events_.measure_block};
  }

  void Count(const ExperimentData& measured) {
    data_.complete = measured.complete;
    data_.Add(measured.Counts());
  }

  const TunePlan& plan_;
  const TuneEvents& events_;
  const std::size_t planned_rungs_;
  TuneData data_;
  std::map<std::size_t, Scores> scores_;  // scores of each candidate in its last rung
  const std::uint64_t start_ns_ = platform::NowNs();
};

}  // namespace

Group GroupOf(const TunePlan& plan, const std::vector<std::size_t>& candidates,
              std::size_t workload) {
  Group group{.workload = plan.workloads[workload]};
  for (const std::size_t candidate : candidates) {
    group.alternatives.push_back(plan.candidates[candidate].alternative);
    group.cells.push_back(candidate * plan.workloads.size() + workload);
  }
  return group;
}

std::vector<std::size_t> FinalistsOf(const TuneData& data) {
  std::vector<std::size_t> finalists{kDefaultCandidate};
  finalists.insert(finalists.end(), data.winners.begin(), data.winners.end());
  if (data.runner_up) {
    finalists.push_back(*data.runner_up);
  }
  return finalists;
}

TuneData SampleTune(const TunePlan& plan, const TuneEvents& events) {
  return Tuner(plan, events).Tune();
}

}  // namespace schedbench::harness

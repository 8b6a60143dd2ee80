#include "harness/tune/tuner.hpp"

#include "harness/tune/ranking.hpp"
#include "platform/time/clock.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
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
      CompareFinalists(plan_, events_, start_ns_, data_);
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
      Measure(left, from, to);
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
        rung.dropped.emplace_back(candidate, failure.empty() ? missing : failure);
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

  // Of candidates whose difference does not matter, the one with the fewest changes wins: the others have some by
  // chance.
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

  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(platform::ElapsedNs(start_ns_));
  }

  // Measures the blocks `from` to `to` - 1 of the candidates and the default.
  void Measure(const std::vector<std::size_t>& left, std::uint32_t from, std::uint32_t to) {
    auto plan = PlanLike<SweepPlan>(plan_, to - from);
    plan.first_block = from;
    plan.settles = false;
    if (plan_.budget) {
      const auto share =
          std::chrono::duration_cast<std::chrono::nanoseconds>(*plan_.budget * kSearchShare);
      plan.budget = std::max(share - Passed(), std::chrono::nanoseconds::zero());
    }
    std::vector<std::size_t> candidates{kDefaultCandidate};
    candidates.insert(candidates.end(), left.begin(), left.end());
    for (const std::size_t candidate : candidates) {
      for (std::size_t workload = 0; workload < plan_.searched; ++workload) {
        plan.cells.push_back({.place = {},
                              .alternative = plan_.candidates[candidate].alternative,
                              .workload = plan_.workloads[workload]});
      }
    }
    const auto cell_of = [&](std::size_t cell) {
      return TuneCellOf(plan_, candidates[cell / plan_.searched], cell % plan_.searched);
    };
    SweepEvents events{
        .progress =
            [&](const SweepProgress& progress) {
              events_.progress(
                  {.rung = data_.rungs.size() - 1, .rungs = planned_rungs_, .of_step = progress});
            },
        .cancelled = events_.cancelled,
        .sample = events_.sample};
    if (events_.known != nullptr) {
      events.known = [&](std::size_t cell, std::size_t block, const std::string& /*place*/) {
        return events_.known(cell_of(cell), from + block);
      };
    }
    if (events_.measured != nullptr) {
      events.measured = [&](std::size_t cell, std::size_t block, const Series& series) {
        events_.measured(cell_of(cell), from + block, series);
      };
    }
    SweepData measured = SampleSweep(plan, events);
    for (std::size_t cell = 0; cell < measured.cells.size(); ++cell) {
      AppendSeries(data_.search[candidates[cell / plan_.searched]][cell % plan_.searched],
                   std::move(measured.cells[cell]));
    }
    data_.complete = measured.complete;
    data_.search_cut_short = measured.out_of_budget;
    data_.disturbed += measured.disturbed;
    data_.repeated += measured.repeated;
  }

  const TunePlan& plan_;
  const TuneEvents& events_;
  const std::size_t planned_rungs_;
  TuneData data_;
  std::map<std::size_t, Scores> scores_;  // of the last rung of each candidate
  const std::uint64_t start_ns_ = platform::NowNs();
};

}  // namespace

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

#include "harness/tune/tuner.hpp"

#include "harness/tune/ranking.hpp"
#include "platform/time/clock.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
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
      Compare();
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

  // Of candidates whose difference does not matter, the one with the fewest changes wins: the others have some by chance.
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
    return std::chrono::nanoseconds(platform::NowNs() - start_ns_);
  }

  // Measures the blocks `from` to `to` - 1 of the candidates and the default.
  void Measure(const std::vector<std::size_t>& left, std::uint32_t from, std::uint32_t to) {
    SweepPlan plan{.keys = {},
                   .cells = {},
                   .metric = nullptr,
                   .blocks = to - from,
                   .rounds = plan_.rounds,
                   .warmup = plan_.warmup,
                   .seed = plan_.seed,
                   .limit = plan_.limit,
                   .budget = std::nullopt,
                   .first_block = from,
                   .settles = false};
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
      events.known = [&](std::size_t cell, std::size_t block) {
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
      Append(data_.search[candidates[cell / plan_.searched]][cell % plan_.searched],
             std::move(measured.cells[cell]));
    }
    data_.complete = measured.complete;
    data_.search_cut_short = measured.out_of_budget;
    data_.disturbed += measured.disturbed;
    data_.repeated += measured.repeated;
  }

  static void Append(Series& to, Series from) {
    to.failure = std::move(from.failure);
    to.details = std::move(from.details);
    to.refused = from.refused;
    to.absent = from.absent;
    std::ranges::move(from.blocks, std::back_inserter(to.blocks));
  }

  void Compare() {
    finalists_ = FinalistsOf(data_);
    data_.comparison.assign(finalists_.size(), TuneSeries(plan_.workloads.size()));
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
      for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
        if (!CompareBlock(block, workload)) {
          return;
        }
      }
    }
  }

  // Returns false if it was cancelled or the time is over.
  bool CompareBlock(std::size_t block, std::size_t workload) {
    std::vector<std::size_t> running;  // places among the finalists
    for (std::size_t i = 0; i < finalists_.size(); ++i) {
      if (data_.comparison[i][workload].failure.empty()) {
        running.push_back(i);
      }
    }
    if (running.size() < 2 || running.front() != 0) {
      return true;  // nothing to compare
    }
    if (TakeKnown(running, block, workload)) {
      return true;
    }
    if (plan_.budget && Passed() > *plan_.budget) {
      data_.out_of_budget = true;
      return false;
    }
    events_.progress(
        {.rung = std::nullopt, .rungs = planned_rungs_, .of_step = ProgressAt(block, workload)});
    const std::uint64_t begin = platform::NowNs();
    const ComparisonData measured = MeasuredOnce(running, block, workload);
    if (!measured.complete) {
      data_.complete = false;
      return false;
    }
    compared_ns_ += platform::NowNs() - begin;
    ++compared_;
    for (std::size_t i = 0; i < running.size(); ++i) {
      Series one = measured.series.front()[i];
      if (!one.failure.empty()) {
        one.blocks.clear();
      }
      if (events_.measured != nullptr) {
        events_.measured(TuneCellOf(plan_, finalists_[running[i]], workload),
                         kFirstFreshBlock + block, one);
      }
      Append(data_.comparison[running[i]][workload], std::move(one));
    }
    return true;
  }

  // Takes the block from an earlier measurement, if all of it is known.
  bool TakeKnown(const std::vector<std::size_t>& running, std::size_t block, std::size_t workload) {
    std::vector<Series> known;
    for (const std::size_t i : running) {
      auto one =
          events_.known == nullptr
              ? std::nullopt
              : events_.known(TuneCellOf(plan_, finalists_[i], workload), kFirstFreshBlock + block);
      if (!one) {
        return false;
      }
      known.push_back(std::move(*one));
    }
    for (std::size_t i = 0; i < running.size(); ++i) {
      Append(data_.comparison[running[i]][workload], std::move(known[i]));
    }
    return true;
  }

  // A disturbed block is measured again, up to a share of all blocks.
  ComparisonData MeasuredOnce(const std::vector<std::size_t>& running, std::size_t block,
                              std::size_t workload) {
    ComparisonPlan plan{.alternatives = {},
                        .workloads = {plan_.workloads[workload]},
                        .metrics = {},
                        .blocks = 1,
                        .rounds = plan_.rounds,
                        .warmup = plan_.warmup,
                        .seed = plan_.seed,
                        .limit = plan_.limit,
                        .first_block = kFirstFreshBlock + block,
                        .audits = false};
    for (const std::size_t i : running) {
      plan.alternatives.push_back(plan_.candidates[finalists_[i]].alternative);
    }
    const SamplerEvents events{.progress = [](std::size_t, std::size_t) {},
                               .cancelled = events_.cancelled};
    for (;;) {
      ComparisonData measured =
          events_.sample != nullptr ? events_.sample(plan, events) : harness::Sample(plan, events);
      const bool failed =
          measured.complete && std::ranges::any_of(measured.series.front(), [](const Series& one) {
            return !one.failure.empty();
          });
      if (!measured.complete || measured.disturbed.empty() || failed) {
        return measured;
      }
      if (again_ >= RepeatedAtMost(std::size_t{plan_.blocks} * plan_.workloads.size())) {
        ++data_.disturbed;
        return measured;
      }
      ++again_;
      ++data_.repeated;
    }
  }

  SweepProgress ProgressAt(std::size_t block, std::size_t workload) const {
    const std::size_t cells = plan_.workloads.size();
    SweepProgress progress{.block = block,
                           .blocks = plan_.blocks,
                           .settled = 0,
                           .cells = cells,
                           .done = block * cells + workload,
                           .of = plan_.blocks * cells,
                           .seconds_left = std::nullopt};
    if (compared_ > 0) {
      double seconds = static_cast<double>(compared_ns_) / 1e9 / static_cast<double>(compared_) *
                       static_cast<double>(progress.of - progress.done);
      if (plan_.budget) {
        seconds =
            std::clamp(static_cast<double>((*plan_.budget - Passed()).count()) / 1e9, 0.0, seconds);
      }
      progress.seconds_left = seconds;
    }
    return progress;
  }

  const TunePlan& plan_;
  const TuneEvents& events_;
  const std::size_t planned_rungs_;
  TuneData data_;
  std::map<std::size_t, Scores> scores_;  // of the last rung of each candidate
  std::vector<std::size_t> finalists_;
  const std::uint64_t start_ns_ = platform::NowNs();
  // Of the comparison:
  std::size_t again_ = 0;  // blocks
  std::uint64_t compared_ns_ = 0;
  std::size_t compared_ = 0;
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

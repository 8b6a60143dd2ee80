#include "harness/hypotheses/judge.hpp"

#include "base/vector_of.hpp"
#include "stats/order_statistics.hpp"
#include "stats/suspicion.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::harness {

namespace {

enum class Moved { kAsClaimed, kOpposite, kUnknown };

Moved MovementOf(const stats::RatioEstimate& ratio, Way way) {
  const bool rises = ratio.low > 1;
  const bool falls = ratio.high < 1;
  if (!rises && !falls) {
    return Moved::kUnknown;
  }
  return rises == (way == Way::kRises) ? Moved::kAsClaimed : Moved::kOpposite;
}

// Returns the sum of a hypothesis' counters per operation; none if the agent reports none.
std::optional<double> CountersOf(const Hypothesis& hypothesis, const RoundReply& round) {
  double sum = 0;
  bool found = false;
  for (const std::string_view name : hypothesis.counters) {
    const auto metric = std::ranges::find(round.metrics, name, &NamedMetric::first);
    if (metric != round.metrics.end() && metric->second) {
      sum += *metric->second;
      found = true;
    }
    const auto count = std::ranges::find(round.counts, name, &NamedCount::first);
    if (count != round.counts.end() && round.operations > 0) {
      sum += static_cast<double>(count->second) / static_cast<double>(round.operations);
      found = true;
    }
  }
  // A count of 0 does not have a ratio: half an event in a round stands for it.
  const double least = 0.5 / static_cast<double>(std::max<std::uint64_t>(round.operations, 1));
  return found ? std::optional(std::max(sum, least)) : std::nullopt;
}

std::optional<double> ThroughputOf(const Hypothesis& /*hypothesis*/, const RoundReply& round) {
  return round.wall_ns == 0 ? std::nullopt
                            : std::optional(1e9 * static_cast<double>(round.operations) /
                                            static_cast<double>(round.wall_ns));
}

using ValueOf = std::optional<double> (*)(const Hypothesis&, const RoundReply&);

// Returns the median of each block.
std::vector<double> BlockMedians(const Hypothesis& hypothesis, const Series& series,
                                 ValueOf value_of) {
  std::vector<double> medians;
  for (const std::vector<RoundReply>& block : series.blocks) {
    const auto values =
        PresentOf(block, [&](const RoundReply& round) { return value_of(hypothesis, round); });
    if (values.empty()) {
      return {};
    }
    medians.push_back(stats::Median(values));
  }
  return medians;
}

std::optional<stats::RatioEstimate> RatioOf(const Hypothesis& hypothesis,
                                            const std::vector<Series>& series, ValueOf value_of,
                                            double level) {
  std::vector<double> before = BlockMedians(hypothesis, series[0], value_of);
  std::vector<double> after = BlockMedians(hypothesis, series[1], value_of);
  const std::size_t pairs = std::min(before.size(), after.size());
  before.resize(pairs);
  after.resize(pairs);
  const stats::LogRatios ratios = stats::PairLogRatios(before, after);
  return ratios.values.empty() || ratios.dropped > 0
             ? std::nullopt
             : stats::PairedRatio(ratios, level, stats::Dependence(ratios.values));
}

// `blocks`: the number that both have.
std::string ReasonFor(const JudgedHypothesis& judged, std::size_t blocks, double level) {
  const Hypothesis& hypothesis = *judged.hypothesis;
  if (!judged.mechanism || !judged.throughput) {
    const std::size_t needed = stats::SmallestSampleWithInterval(level);
    return blocks >= needed
               ? "A counter or the throughput is 0 in a block, which has no ratio."
               : fmt::format("{} too few for intervals, which need {}.",
                             blocks == 1 ? "1 block is" : fmt::format("{} blocks are", blocks),
                             needed);
  }
  const Moved mechanism = MovementOf(*judged.mechanism, hypothesis.counters_go);
  const Moved throughput = MovementOf(*judged.throughput, hypothesis.throughput_goes);
  switch (judged.judgement) {
    case Judgement::kSupported:
      return "The mechanism and the throughput move as claimed.";
    case Judgement::kRefuted:
      if (throughput == Moved::kOpposite) {
        return "The throughput moves the other way.";
      }
      return mechanism == Moved::kOpposite
                 ? "The mechanism moves the other way."
                 : "The mechanism moves as claimed, and the throughput stays the same.";
    case Judgement::kInconclusive:
    case Judgement::kFailed:
      break;
  }
  if (mechanism == Moved::kAsClaimed) {
    return "The mechanism moves as claimed; the throughput is uncertain.";
  }
  return throughput == Moved::kAsClaimed
             ? "The throughput moves as claimed; the mechanism is uncertain."
             : "Neither is certain to move.";
}

}  // namespace

Judgement JudgementOf(const Hypothesis& hypothesis,
                      const std::optional<stats::RatioEstimate>& mechanism,
                      const std::optional<stats::RatioEstimate>& throughput, double min_effect) {
  if (!mechanism || !throughput) {
    return Judgement::kInconclusive;
  }
  const Moved counters = MovementOf(*mechanism, hypothesis.counters_go);
  const Moved speed = MovementOf(*throughput, hypothesis.throughput_goes);
  if (counters == Moved::kOpposite || speed == Moved::kOpposite) {
    return Judgement::kRefuted;
  }
  const bool is_same =
      throughput->low >= 1 / (1 + min_effect) && throughput->high <= 1 + min_effect;
  if (counters == Moved::kAsClaimed && is_same) {
    return Judgement::kRefuted;
  }
  return counters == Moved::kAsClaimed && speed == Moved::kAsClaimed ? Judgement::kSupported
                                                                     : Judgement::kInconclusive;
}

JudgedHypothesis Judge(const Hypothesis& hypothesis, const ComparisonPlan& plan,
                       const ExperimentData& data, double level, double min_effect) {
  JudgedHypothesis judged{.hypothesis = &hypothesis,
                          .plan = plan,
                          .mechanism = std::nullopt,
                          .throughput = std::nullopt,
                          .judgement = Judgement::kFailed,
                          .reason = ""};
  const std::vector<Series>& series = data.series.front();
  const bool answers = hypothesis.IsAboutAnswers();
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!series[i].failure.empty()) {
      judged.judgement = answers && !series[i].refused ? Judgement::kRefuted : Judgement::kFailed;
      judged.refused = series[i].refused;
      judged.reason = plan.alternatives[i].name + ": " + series[i].failure;
      return judged;
    }
  }
  if (answers) {
    judged.judgement = Judgement::kSupported;
    judged.reason = fmt::format("All {} schedulers gave right answers.", series.size());
    return judged;
  }
  judged.mechanism = RatioOf(hypothesis, series, &CountersOf, level);
  judged.throughput = RatioOf(hypothesis, series, &ThroughputOf, level);
  judged.judgement = JudgementOf(hypothesis, judged.mechanism, judged.throughput, min_effect);
  judged.reason =
      ReasonFor(judged, std::min(series[0].blocks.size(), series[1].blocks.size()), level);
  return judged;
}

}  // namespace schedbench::harness

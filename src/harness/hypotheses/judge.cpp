#include "harness/hypotheses/judge.hpp"

#include "harness/compare/block_value.hpp"
#include "harness/round.hpp"
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
    if (const auto value = RoundValue({name, "per op", registry::Better::kNone, ""}, round)) {
      sum += *value;
      found = true;
    }
  }
  // A count of 0 does not have a ratio: half an event in a round stands for it.
  const double least = 0.5 / static_cast<double>(std::max<std::uint64_t>(round.operations, 1));
  return found ? std::optional(std::max(sum, least)) : std::nullopt;
}

// Returns the ratio of the values of all blocks that both have; none if a value is missing or 0.
template <typename Value>
std::optional<stats::RatioEstimate> RatioOf(const std::vector<Series>& series, const Value& value,
                                            double level) {
  const BlockPairs pairs(ValuesByBlock(series[0], value), ValuesByBlock(series[1], value));
  const stats::LogRatios ratios = stats::PairLogRatios(pairs.a, pairs.b);
  const std::size_t blocks = std::min(series[0].blocks.size(), series[1].blocks.size());
  return ratios.values.empty() || ratios.values.size() < blocks
             ? std::nullopt
             : stats::PairedRatio(ratios, level, stats::Dependence(ratios.values));
}

// `blocks`: the number that both have.
std::string ReasonFor(const JudgedHypothesis& judged, std::size_t blocks, double level) {
  const Hypothesis& hypothesis = *judged.hypothesis;
  if (!judged.mechanism || !judged.throughput) {
    const std::size_t needed = stats::SmallestSampleWithInterval(level);
    return blocks >= needed
               ? "A counter or the throughput is 0 or missing in a block, which has no ratio."
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
  JudgedHypothesis judged{.hypothesis = &hypothesis, .plan = plan, .judgement = Judgement::kFailed};
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
  const auto counters_of = [&](const RoundReply& round) { return CountersOf(hypothesis, round); };
  judged.mechanism = RatioOf(series, counters_of, level);
  judged.throughput =
      RatioOf(series, RoundMetricList()[RoundMetricIndex("throughput")].info, level);
  judged.judgement = JudgementOf(hypothesis, judged.mechanism, judged.throughput, min_effect);
  judged.reason =
      ReasonFor(judged, std::min(series[0].blocks.size(), series[1].blocks.size()), level);
  return judged;
}

}  // namespace schedbench::harness

#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "harness/summary.hpp"
#include "stats/change.hpp"
#include "stats/looks.hpp"
#include "stats/mann_whitney.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

using schedbench::ToText;

// How sure all intervals of a comparison are together.
inline constexpr double kJointLevel = 0.95;

// Whether the change of a metric is one for the better. What has no better way is neither.
enum class Verdict {
  kBetter,
  kSlightlyBetter,
  kSame,
  kSlightlyWorse,
  kWorse,
  kInconclusive,
  kDiffers
};

// Returns "better", "slightly better", "same", "slightly worse", "worse", "inconclusive" or "differs".
constexpr std::array<std::string_view, 7> NamesOf(Verdict) {
  return {"better", "slightly better", "same",   "slightly worse",
          "worse",  "inconclusive",    "differs"};
}

// Returns what the change of a metric with this better way means.
Verdict ToVerdict(stats::Change change, registry::Better better);

// Of a metric that the agent of an alternative does not have.
inline constexpr std::string_view kNotReported = "not reported";
// Of one that has a metric where the first has none.
inline constexpr std::string_view kNothingToCompare = "nothing to compare with";

// A metric of an alternative against that of another, under one workload.
struct ComparedRow {
  std::size_t workload;     // in the plan
  std::size_t alternative;  // likewise
  const registry::Metric* metric;
  std::optional<Spread> spread;               // over its blocks
  std::optional<stats::RatioEstimate> ratio;  // of it to that of `against`
  // The difference to `against`, where a block of one of the two is 0 and so has no ratio.
  std::optional<stats::DifferenceEstimate> difference = std::nullopt;
  // What verdicts and gates judge: `ratio`, or `difference` by the median of `against`, whose ends may be infinite.
  std::optional<stats::RatioEstimate> judged = std::nullopt;
  std::optional<Verdict> verdict;
  std::size_t pairs = 0;  // blocks that both have; of a saved one, as many as the shorter has
  std::size_t pairs_to_resolve = 0;                           // about; of an inconclusive ratio
  std::optional<stats::RankComparison> ranks = std::nullopt;  // to a saved one
  bool dependent = false;  // blocks look like their neighbours: the interval is wider for it
  std::optional<double> point =
      std::nullopt;     // the median of the ratios, also where it has no interval
  double level = 0;     // of the interval of `ratio`
  std::string missing;  // why there is no spread, or no ratio; "" where there is
  bool never =
      false;  // more blocks would give no ratio either: one of the two does not report it, or lacks the workload
  std::vector<double> block_ratios = {};  // of the pairs, in their order; of a saved one none
  // The other one, in the plan, which itself has none.
  std::optional<std::size_t> against = std::nullopt;
};

// How often a mechanism was used for an operation, where that differs much.
struct MovedCount {
  std::size_t workload;
  std::size_t alternative;
  std::string name;
  double first;   // for an operation of the one that it is compared with; medians over the blocks
  double second;  // of this one
};

struct Comparison {
  std::vector<ComparedRow> rows;  // by workload, metric, alternative
  std::vector<MovedCount> moved;  // by workload and alternative, the most significant first
  std::size_t comparisons = 0;    // rows that were to get a ratio: they share kJointLevel
  double level = kJointLevel;     // of each interval
};

// Differences below such shares (0.02) do not matter.
struct MinEffect {
  double of_all;
  double of_throughput = 0;  // where it is more
};

// Draws the conclusions.
Comparison Analyse(const ComparisonPlan& plan, const ExperimentData& data,
                   const MinEffect& min_effect);

// Returns how many ratios the plan asks for, if each alternative reports all metrics.
std::size_t PlannedComparisons(const ComparisonPlan& plan);

// Returns how many of these ratios each alternative has for certain. Agents need not report wake-up latencies and metrics of a
// workload.
std::size_t CertainComparisons(const ComparisonPlan& plan);

// Returns how many blocks of the plan give an interval to that many ratios at once.
std::size_t BlocksFor(std::size_t comparisons, const ComparisonPlan& plan);

// Returns the looks at each of them in a plan with a budget: how often the blocks are evaluated, and at which levels.
stats::Looks LooksOf(const ComparisonPlan& plan);

// Returns which alternatives need no more blocks, [workload][alternative]: a look is due, and its intervals decide on all
// metrics. Never the first one, with which the others are compared.
std::vector<std::vector<bool>> SettledAlternatives(const ComparisonPlan& plan,
                                                   const ExperimentData& data,
                                                   const MinEffect& min_effect);

// Whether different settings of one scheduler ended up as the same ones, so that a ratio shows
// noise alone. `of_one`, `of_other`: the configs that are in effect, as JSON; "" and "{}" are
// unknown.
bool AreSameInEffect(const Alternative& one, std::string_view of_one, const Alternative& other,
                     std::string_view of_other);

// Returns the config of an alternative that is in effect, as JSON; "" if it is unknown.
std::string_view ConfigInEffect(const ExperimentData& data, std::size_t alternative);

// Compares two alternatives of a comparison by their configs in effect.
bool AreSameInEffect(const ComparisonPlan& plan, const ExperimentData& data, std::size_t one,
                     std::size_t other);

// Returns what the rounds of this workload are compared by: throughput, latencies, CPU time, memory, and what the workload
// has besides that has a better way. If `names` has any: these, which may be any metrics of rounds, and counts of workers and
// schedulers.
std::vector<const registry::Metric*> ComparedMetrics(const registry::WorkloadEntry& workload,
                                                     const std::vector<std::string>& names);

// Returns the metric by which alternatives are ranked under a workload of the plan: its own one, or the first one that is compared.
const registry::Metric& RankingMetric(const ComparisonPlan& plan, std::size_t workload);

}  // namespace schedbench::harness

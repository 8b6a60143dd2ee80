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

// The joint confidence level of all intervals of a comparison.
inline constexpr double kJointLevel = 0.95;

// The judgement of a metric's change. A metric without a better way is neither better nor worse.
enum class Verdict {
  kBetter,
  kSlightlyBetter,
  kSame,
  kSlightlyWorse,
  kWorse,
  kInconclusive,
  kDiffers
};

constexpr std::array<std::string_view, 7> NamesOf(Verdict) {
  return {"better", "slightly better", "same",   "slightly worse",
          "worse",  "inconclusive",    "differs"};
}

// Returns what a change means for a metric with this better way.
Verdict ToVerdict(stats::Change change, registry::Better better);

// The reason for a metric that the agent of an alternative does not have.
inline constexpr std::string_view kNotReported = "not reported";
// The reason for a metric that the first alternative does not have.
inline constexpr std::string_view kNothingToCompare = "nothing to compare with";

// A metric of an alternative compared with another alternative under one workload.
struct ComparedRow {
  std::size_t workload;     // index in the plan
  std::size_t alternative;  // index in the plan
  const registry::Metric* metric;
  std::optional<Spread> spread{};               // spread over its blocks
  std::optional<stats::RatioEstimate> ratio{};  // ratio to the value of `against`
  // Difference to `against`, where a block of one of the two is 0 and so does not have a ratio.
  std::optional<stats::DifferenceEstimate> difference = std::nullopt;
  // The judged ratio: `ratio`, or `difference` / median of `against`, whose ends may be infinite.
  std::optional<stats::RatioEstimate> judged = std::nullopt;
  std::optional<Verdict> verdict{};
  std::size_t pairs = 0;             // blocks that both have; with a saved one, the shorter number
  std::size_t pairs_to_resolve = 0;  // approximate, for an inconclusive ratio
  std::optional<stats::RankComparison> ranks = std::nullopt;  // ranks against a saved one
  bool dependent = false;  // blocks look like their neighbours: the interval is wider for it
  // Median of the ratios, also where it does not have an interval.
  std::optional<double> point = std::nullopt;
  double level = 0;     // level of the interval of `ratio`
  std::string missing;  // why there is no spread, or no ratio; "" where there is
  // More blocks would not give a ratio: one of the two does not report it or lacks the workload.
  bool never = false;
  // Ratios of the pairs in their order; empty with a saved one.
  std::vector<double> block_ratios = {};
  // The other alternative in the plan; none for a reference.
  std::optional<std::size_t> against = std::nullopt;
};

// The use of a mechanism per operation, where it differs much.
struct MovedCount {
  std::size_t workload;
  std::size_t alternative;
  std::string name;
  double first;   // median over the blocks, per operation of the reference
  double second;  // median of this alternative
};

struct Comparison {
  std::vector<ComparedRow> rows;  // sorted by workload, metric, alternative
  std::vector<MovedCount> moved;  // sorted by workload and alternative, the most significant first
  std::size_t comparisons = 0;    // rows that were to get a ratio, which share kJointLevel
  double level = kJointLevel;     // level of each interval
};

// Smaller differences than these shares (0.02) do not matter.
struct MinEffect {
  double of_all;
  double of_throughput = 0;  // used where it is larger
};

// Draws the conclusions.
Comparison Analyse(const ComparisonPlan& plan, const ExperimentData& data,
                   const MinEffect& min_effect);

// Returns the number of ratios that the plan asks for, if each alternative reports all metrics.
std::size_t PlannedComparisons(const ComparisonPlan& plan);

// Returns the number of these ratios that each alternative has for certain. Agents need not report
// wake-up latencies and metrics of a workload.
std::size_t CertainComparisons(const ComparisonPlan& plan);

// Returns the number of blocks of the plan that give `comparisons` ratios an interval at once.
std::size_t BlocksFor(std::size_t comparisons, const ComparisonPlan& plan);

// Returns the looks at each ratio with a budget: the number and levels of evaluations.
stats::Looks LooksOf(const ComparisonPlan& plan);

// Returns which alternatives need no more blocks, [workload][alternative]: a look is due, and their
// intervals decide on all metrics. The first alternative, the reference, is never settled.
std::vector<std::vector<bool>> SettledAlternatives(const ComparisonPlan& plan,
                                                   const ExperimentData& data,
                                                   const MinEffect& min_effect);

// Returns whether different settings of one scheduler ended up equal, so that a ratio shows only
// noise. `of_one`, `of_other`: the configs in effect as JSON; "" and "{}" are unknown.
bool AreSameInEffect(const Alternative& one, std::string_view of_one, const Alternative& other,
                     std::string_view of_other);

// Returns the config of an alternative that is in effect, as JSON; "" if it is unknown.
std::string_view ConfigInEffect(const ExperimentData& data, std::size_t alternative);

// Compares two alternatives of a comparison by their configs in effect.
bool AreSameInEffect(const ComparisonPlan& plan, const ExperimentData& data, std::size_t one,
                     std::size_t other);

// Returns the metrics by which the rounds of this workload are compared: throughput, latencies, CPU
// time, memory, and the workload's own ones with a better way. If `names` is not empty: these,
// which may be any metrics of rounds, and counts of workers and schedulers.
std::vector<const registry::Metric*> ComparedMetrics(const registry::WorkloadEntry& workload,
                                                     const std::vector<std::string>& names);

// Returns the ranking metric under a workload: its own one, or the first compared one.
const registry::Metric& RankingMetric(const ComparisonPlan& plan, std::size_t workload);

}  // namespace schedbench::harness

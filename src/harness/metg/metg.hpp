#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/experiment/measure.hpp"
#include "harness/summary.hpp"
#include "stats/ratio.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The minimum effective task granularity of Task Bench (Slaughter et al., SC 2020): the smallest time of a worker for a task, with
// all overhead, at which a share of that time, usually half, is the task's own work.

namespace schedbench::harness {

using schedbench::ToText;

// What a workload needs for it: a parameter and a metric.
inline constexpr std::string_view kGrainParameter = "grain_ns";
inline constexpr std::string_view kEfficiencyMetric = "efficiency";

// The blocks are those of the grains near the result.
struct MetgPlan : Extent {
  std::vector<Alternative> alternatives;    // the others are compared with the first
  std::vector<ComparedWorkload> workloads;  // the search sets their kGrainParameter
  std::vector<std::uint64_t> grains;  // of the search, ascending, at least one, in nanoseconds
  double efficiency = 0.5;
  double min_effect = 0.02;  // smaller ratios do not matter
};

// Of a workload on an alternative.
struct MetgPoint {
  std::uint64_t grain_ns;
  bool fine;  // measured in all blocks, near the result
  Series series;
};

// In the order of the workloads, and for each in the order of the alternatives.
struct MetgData : BlockCounts {
  std::vector<std::vector<MetgPoint>> curves;  // points in the order of measuring
  bool complete = false;
  bool out_of_budget = false;
};

struct MetgEvents {
  // A process is about to start. `grain_ns`: of the search; none near the result.
  std::function<void(std::optional<std::uint64_t> grain_ns, const ExperimentProgress&)> progress;
  std::function<bool()> cancelled;  // asked many times a second
  decltype(ExperimentEvents::measure_block) measure_block = &MeasureBlock;
};

// Measures: first each grain of the search, from the smallest on, in two blocks, until the efficiency is reached; then five grains
// around the estimate, in all blocks. Grains and alternatives are in random order in each block, each in a process of its own.
// Thread: the caller's.
MetgData SampleMetg(const MetgPlan& plan, const MetgEvents& events);

enum class MetgOutcome {
  kFound,
  kBelowSmallest,  // the smallest grain of the search reaches the efficiency
  kNotReached,     // no grain of the search does
  kUnclear,        // the grains near the estimate do not enclose the result, or are not measured
  kFailed,
};

// "found", "below the smallest grain", ...
constexpr std::array<std::string_view, 5> NamesOf(MetgOutcome) {
  return {"found", "below the smallest grain", "not reached", "unclear", "failed"};
}

struct MetgCurve {
  MetgOutcome outcome;
  std::string failure = "";  // of kFailed
  std::optional<double> ns = std::nullopt;
  // The 95 % bootstrap interval over the blocks; none of fewer than BlocksForIntervals(). An end that is open is that of the
  // grains. kUnclear has no interval; its result is at most `ns` if the lower end is open, at least `ns` if the upper one is.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  bool low_is_open = false;
  bool high_is_open = false;
  std::size_t blocks = 0;
  // To the first alternative under the same workload. All ratios hold at once with kJointLevel; none of fewer blocks than
  // BlocksForRatios().
  std::optional<stats::RatioEstimate> ratio = std::nullopt;
  std::optional<Verdict> verdict = std::nullopt;
};

// Returns how many blocks the interval of each result needs, or those of all ratios at once. A bootstrap of a median draws no
// value outside the sample, so its interval is no surer than [min, max]. Pure; thread-safe.
std::size_t BlocksForIntervals();
std::size_t BlocksForRatios(const MetgPlan& plan);

// Returns a curve for each of the data. Pure; thread-safe.
std::vector<MetgCurve> AnalyseMetg(const MetgPlan& plan, const MetgData& data);

// Returns the efficiency of each block of a point; none where a round has none. Pure; thread-safe.
std::vector<std::optional<double>> EfficienciesOf(const MetgPlan& plan, const MetgPoint& point);

// Returns the efficiency of a point over its blocks; none without one. Pure; thread-safe.
std::optional<Spread> EfficiencyOf(const MetgPlan& plan, const MetgPoint& point);

}  // namespace schedbench::harness

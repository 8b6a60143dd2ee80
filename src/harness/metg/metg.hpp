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

// The minimum effective task granularity of Task Bench (Slaughter et al., SC 2020): the smallest
// time of a worker for a task, with all overhead, of which a share, usually half, is its work.

namespace schedbench::harness {

using schedbench::ToText;

// A workload needs this parameter and this metric.
inline constexpr std::string_view kGrainParameter = "grain_ns";
inline constexpr std::string_view kEfficiencyMetric = "efficiency";

// A plan of METG. The blocks are those of the grains near the result.
struct MetgPlan : Extent {
  std::vector<Alternative> alternatives;    // the first one is the reference
  std::vector<ComparedWorkload> workloads;  // the search sets their kGrainParameter
  std::vector<std::uint64_t> grains;  // ascending grains of the search in nanoseconds, at least one
  double efficiency = 0.5;
  double min_effect = 0.02;  // smaller ratios do not matter
};

// A measured grain of a workload on an alternative.
struct MetgPoint {
  std::uint64_t grain_ns;
  bool fine;  // measured in all blocks, near the result
  Series series;
};

// Curves in the order of the workloads, and for each in the order of the alternatives.
struct MetgData : BlockCounts {
  std::vector<std::vector<MetgPoint>> curves;  // points in the order of measuring
  bool complete = false;
  bool out_of_budget = false;
};

struct MetgEvents {
  // Called before a process starts. `grain_ns`: the grain of the search; none near the result.
  std::function<void(std::optional<std::uint64_t> grain_ns, const ExperimentProgress&)> progress;
  std::function<bool()> cancelled;  // asked many times a second
  decltype(ExperimentEvents::measure_block) measure_block = &MeasureBlock;
};

// Measures each grain of the search, the smallest first, in two blocks until the efficiency is
// reached; then five grains around the estimate in all blocks. Each block has a random order of
// grains and alternatives, each in its own process. The caller's thread calls this.
MetgData SampleMetg(const MetgPlan& plan, const MetgEvents& events);

enum class MetgOutcome {
  kFound,
  kBelowSmallest,  // the smallest grain of the search reaches the efficiency
  kNotReached,     // no grain of the search reaches it
  kUnclear,        // the grains near the estimate do not enclose the result, or are not measured
  kFailed,
};

constexpr std::array<std::string_view, 5> NamesOf(MetgOutcome) {
  return {"found", "below the smallest grain", "not reached", "unclear", "failed"};
}

struct MetgCurve {
  MetgOutcome outcome;
  std::string failure = "";  // failure of kFailed
  std::optional<double> ns = std::nullopt;
  // The 95 % bootstrap interval over the blocks; none below BlocksForIntervals(). An open end is
  // the end of the grains. kUnclear does not have an interval: its result is at most `ns` if the
  // lower end is open, at least `ns` if the upper one is.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  bool low_is_open = false;
  bool high_is_open = false;
  std::size_t blocks = 0;
  // Ratio to the first alternative under the same workload. All ratios hold at once with
  // kJointLevel; none below BlocksForRatios().
  std::optional<stats::RatioEstimate> ratio = std::nullopt;
  std::optional<Verdict> verdict = std::nullopt;
};

// Return the number of blocks that the interval of each result needs, or those of all ratios at
// once. A median's bootstrap stays inside the sample: [min, max] limits the confidence. Pure;
// thread-safe.
std::size_t BlocksForIntervals();
std::size_t BlocksForRatios(const MetgPlan& plan);

// Returns a curve for each of the data. Pure; thread-safe.
std::vector<MetgCurve> AnalyseMetg(const MetgPlan& plan, const MetgData& data);

// Returns the efficiency of each block of a point; none if a round lacks it. Pure; thread-safe.
std::vector<std::optional<double>> EfficienciesOf(const MetgPlan& plan, const MetgPoint& point);

// Returns the efficiency of a point over its blocks; none without a block. Pure; thread-safe.
std::optional<Spread> EfficiencyOf(const MetgPlan& plan, const MetgPoint& point);

}  // namespace schedbench::harness

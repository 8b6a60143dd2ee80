#pragma once

#include "harness/experiment/measure.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// The rounds of one candidate under each workload of a plan, the searched ones first.
using TuneSeries = std::vector<Series>;

// A candidate compared with another: for each block that both have under all of the workloads, the
// mean over the workloads of the logarithms of the ratios.
struct TunePairs {
  std::vector<double> values;
  std::string missing = "";  // why there are no values, or not a fair sample; "" otherwise
};

// Returns the ratios of `candidate` to `other` by the metric of the objective, under the workloads
// `first` to `last` - 1. Pure; thread-safe.
TunePairs PairsOf(const TunePlan& plan, Objective objective, const TuneSeries& candidate,
                  const TuneSeries& other, std::size_t first, std::size_t last);

// Returns the logarithms of the values themselves by block, without a comparison.
TunePairs LogValuesOf(const TunePlan& plan, Objective objective, const TuneSeries& candidate,
                      std::size_t first, std::size_t last);

// Returns why a candidate has no more blocks under one of its workloads; "" if it has more.
const std::string& FailureOf(const TuneSeries& candidate);

// A candidate without a value to rank.
struct DroppedCandidate {
  std::size_t candidate;
  std::string reason;
};

// A measured step of the search.
struct TuneRung {
  std::uint32_t blocks;                 // blocks of each candidate, with those of former rungs
  std::vector<std::size_t> candidates;  // without the default
  std::vector<std::size_t> kept = {};   // the best first
  std::vector<DroppedCandidate> dropped = {};
};

struct TuneData : BlockCounts {
  std::vector<TuneSeries> search;  // series of each candidate under the searched workloads
  std::vector<TuneRung> rungs = {};
  std::vector<std::size_t> winners = {};  // the best first; with one objective at most one
  std::optional<std::size_t> runner_up = std::nullopt;
  std::vector<TuneSeries> comparison = {};  // series of each finalist under all workloads
  // Why the default lacks an objective's value, so that nothing can be compared; "" if not.
  std::string unusable_default = "";
  bool complete = false;          // false: it was cancelled
  bool search_cut_short = false;  // the search ended before its last block because of the budget
  bool out_of_budget = false;  // the comparison ended before its last block because of the budget
};

// Returns the candidates that are compared: the default, the winners, the runner-up.
std::vector<std::size_t> FinalistsOf(const TuneData& data);

// The number of the first block of the comparison: it shares no random choice with the search.
inline constexpr std::size_t kFirstFreshBlock = 1'000'000;

// Returns candidates under a workload of the plan, with their numbers for journals.
Group GroupOf(const TunePlan& plan, const std::vector<std::size_t>& candidates,
              std::size_t workload);

struct TuneProgress {
  std::optional<std::size_t> rung;  // index of the rung; none: the comparison
  std::size_t rungs;                // number of planned rungs
  ExperimentProgress of_step;
};

// Callbacks of the tuner, similar to ExperimentEvents. `cell`: a number of GroupOf().
struct TuneEvents {
  std::function<void(const TuneProgress&)> progress;
  std::function<bool()> cancelled;
  decltype(ExperimentEvents::known) known = nullptr;
  decltype(ExperimentEvents::measured) measured = nullptr;
  decltype(ExperimentEvents::measure_block) measure_block = &MeasureBlock;
};

// Searches, and compares the result with the default on fresh data. Each rung measures the
// remaining candidates and the default, each alone, ranks them by all blocks so far, and keeps the
// better third. The ranking uses the ratio to the default: the median over the blocks of the
// geometric mean over the searched workloads. Among candidates within the smallest difference that
// matters, the one with the fewest changes wins. The comparison runs the finalists side by side
// under all workloads. A candidate that fails is dropped; without the default nothing is compared.
// The caller's thread calls this.
TuneData SampleTune(const TunePlan& plan, const TuneEvents& events);

}  // namespace schedbench::harness

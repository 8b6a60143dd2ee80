#pragma once

#include "harness/experiment/measure.hpp"
#include "harness/tune/pairs.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A candidate that has no value to rank.
struct DroppedCandidate {
  std::size_t candidate;
  std::string reason;
};

// A step of the search as it was measured.
struct TuneRung {
  std::uint32_t blocks;                 // of each candidate, those of former rungs included
  std::vector<std::size_t> candidates;  // besides the default
  std::vector<std::size_t> kept = {};   // the best first
  std::vector<DroppedCandidate> dropped = {};
};

struct TuneData : BlockCounts {
  std::vector<TuneSeries> search;  // of each candidate, under the searched workloads
  std::vector<TuneRung> rungs = {};
  std::vector<std::size_t> winners =
      {};  // candidates, the best first; of one objective at most one
  std::optional<std::size_t> runner_up = std::nullopt;
  std::vector<TuneSeries> comparison = {};  // of each finalist, under all workloads
  // Why the default has no value of an objective, so that nothing can be compared with it; "" if it has.
  std::string unusable_default = "";
  bool complete = false;          // false: it was cancelled
  bool search_cut_short = false;  // the search ended before its last block because of the budget
  bool out_of_budget = false;     // likewise the comparison
};

// Returns the candidates that are compared: the default, the winners, the runner-up.
std::vector<std::size_t> FinalistsOf(const TuneData& data);

// The number of the first block of the comparison: none of its random choices is one of the search.
inline constexpr std::size_t kFirstFreshBlock = 1'000'000;

// Returns candidates under a workload of the plan, with their numbers for journals.
Group GroupOf(const TunePlan& plan, const std::vector<std::size_t>& candidates,
              std::size_t workload);

struct TuneProgress {
  std::optional<std::size_t> rung;  // from 0; none: of the comparison
  std::size_t rungs;                // that are planned
  ExperimentProgress of_step;
};

// What the tuner asks and reports, as ExperimentEvents does. `cell`: of GroupOf().
struct TuneEvents {
  std::function<void(const TuneProgress&)> progress;
  std::function<bool()> cancelled;
  decltype(ExperimentEvents::known) known = nullptr;
  decltype(ExperimentEvents::measured) measured = nullptr;
  decltype(ExperimentEvents::measure_block) measure_block = &MeasureBlock;
};

// Searches, and compares what it has found with the default on fresh data. Each rung measures the candidates that are
// left and the default, each alone, ranks them by all blocks so far, and keeps the better third. The ranking is
// by the ratio to the default: the median over the blocks of the geometric mean over the searched workloads. Of
// candidates within the smallest difference that matters, the one with the fewest changes wins. The comparison runs
// the finalists side by side, under all workloads. A candidate that fails is dropped; without the default
// nothing is compared. Thread: the caller's.
TuneData SampleTune(const TunePlan& plan, const TuneEvents& events);

}  // namespace schedbench::harness

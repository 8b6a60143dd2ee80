#pragma once

#include "harness/sweep/sampler.hpp"
#include "harness/tune/pairs.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::harness {

// A step of the search as it was measured.
struct TuneRung {
  std::uint32_t blocks;                 // of each candidate, those of former rungs included
  std::vector<std::size_t> candidates;  // besides the default
  std::vector<std::size_t> kept = {};   // the best first
  // Those that have no value to rank, and why.
  std::vector<std::pair<std::size_t, std::string>> dropped = {};
};

struct TuneData {
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
  std::size_t disturbed = 0;      // blocks that count although something else ran
  std::size_t repeated = 0;       // likewise, but measured again
};

// Returns the candidates that are compared: the default, the winners, the runner-up.
std::vector<std::size_t> FinalistsOf(const TuneData& data);

// The number of the first block of the comparison: none of its random choices is one of the search.
inline constexpr std::size_t kFirstFreshBlock = 1'000'000;

// Returns the number of a candidate under a workload of the plan, for journals.
inline std::size_t TuneCellOf(const TunePlan& plan, std::size_t candidate, std::size_t workload) {
  return candidate * plan.workloads.size() + workload;
}

struct TuneProgress {
  std::optional<std::size_t> rung;  // from 0; none: of the comparison
  std::size_t rungs;                // that are planned
  SweepProgress of_step;
};

// What the tuner asks and reports. `cell`: TuneCellOf().
struct TuneEvents {
  std::function<void(const TuneProgress&)> progress;  // a process is about to start
  std::function<bool()> cancelled;                    // asked many times a second
  // What is known of a block from an earlier measurement; it is not measured again. Null: nothing.
  std::function<std::optional<Series>(std::size_t cell, std::size_t block)> known = nullptr;
  // A block was measured: a series with this block alone, or with the failure. Null: no caller asks.
  std::function<void(std::size_t cell, std::size_t block, const Series&)> measured = nullptr;
  // Tests replace it.
  std::function<ComparisonData(const ComparisonPlan&, const SamplerEvents&)> sample = &Sample;
};

// Searches, and compares what it has found with the default on fresh data. Each rung measures the candidates that are
// left and the default by SampleSweep(), ranks them by all blocks so far, and keeps the better third. The ranking is
// by the ratio to the default: the median over the blocks of the geometric mean over the searched workloads. Of
// candidates within the smallest difference that matters, the one with the fewest changes wins. The comparison runs
// the finalists side by side by Sample(), under all workloads. A candidate that fails is dropped; without the default
// nothing is compared. Thread: the caller's.
TuneData SampleTune(const TunePlan& plan, const TuneEvents& events);

// The parts of the tuner beside the search:

// Measures the finalists of the search side by side, under all workloads, on fresh data, and adds
// the result to `data`. `start_ns`: when the budget began.
void CompareFinalists(const TunePlan& plan, const TuneEvents& events, std::uint64_t start_ns,
                      TuneData& data);

}  // namespace schedbench::harness

#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/tune/tuner.hpp"
#include "stats/ratio.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The conclusions of a search, from the comparison on fresh data alone. Pure; thread-safe.

namespace schedbench::harness {

using schedbench::ToText;

// The origin of a ratio of a finalist to another one.
enum class TuneScope : std::uint8_t { kSearched, kSearchedWorkload, kHeldOut };

// Returns "searched", "searched workload" or "held out".
constexpr std::array<std::string_view, 3> NamesOf(TuneScope) {
  return {"searched", "searched workload", "held out"};
}

// A ratio. All ratios of a decision hold at once with kJointLevel.
struct TuneRatio {
  std::size_t finalist;  // index in FinalistsOf()
  std::size_t against;   // the default, or the runner-up
  std::size_t objective;
  TuneScope scope;
  // None: the geometric mean of the searched ones.
  std::optional<std::size_t> workload = std::nullopt;
  std::size_t pairs = 0;                       // number of blocks
  std::optional<double> point = std::nullopt;  // median of the ratios, also without an interval
  std::optional<stats::RatioEstimate> ratio = std::nullopt;
  std::optional<Verdict> verdict = std::nullopt;
  std::size_t pairs_to_resolve = 0;  // approximate, for an inconclusive ratio
  std::string missing = "";          // why there is no ratio; "" where there is
  bool is_short = false;             // there is no ratio because blocks are too few
};

enum class TuneOutcome : std::uint8_t {
  kBetter,        // an objective is proven better, and nothing is proven worse
  kConditional,   // better, but a single workload is proven worse
  kTradeOff,      // an objective is proven better, and another one is proven worse
  kNotBetter,     // the intervals prove that no objective is better
  kInconclusive,  // no objective is proven better, but one may be
  kUnmeasured,    // blocks are too few for the intervals
  kFailed,        // the candidate has failed, or a workload has no value of an objective
};

constexpr std::array<std::string_view, 7> NamesOf(TuneOutcome) {
  return {"better",       "conditionally better", "trade-off", "not better",
          "inconclusive", "too few blocks",       "failed"};
}

enum class TuneAnswer : std::uint8_t {
  kBetter,
  kConditional,
  kNone,     // no setting is better than the default
  kUnknown,  // the default has failed, or the comparison has too few blocks
};

// Returns "better", "conditional", "none" or "unknown".
constexpr std::array<std::string_view, 4> NamesOf(TuneAnswer) {
  return {"better", "conditional", "none", "unknown"};
}

struct TuneDecision {
  std::vector<TuneRatio> ratios;
  std::vector<TuneOutcome> outcomes;  // outcome of each winner of the search
  TuneAnswer answer = TuneAnswer::kUnknown;
  std::optional<std::size_t> best;  // the finalist of an answer that is better than the default
  double level = kJointLevel;       // level of each interval
};

TuneDecision Decide(const TunePlan& plan, const TuneData& data);

// Returns how many blocks the intervals of the comparison need.
std::size_t BlocksForDecision(const TunePlan& plan, std::size_t winners, bool has_runner_up);

}  // namespace schedbench::harness

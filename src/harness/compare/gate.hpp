#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/analysis.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Conditions on the ratios of a comparison, for a script. Only whole intervals count, so that
// chance does not turn a build red. Pure functions; thread-safe.

namespace schedbench::harness {

using schedbench::ToText;

enum class Relation { kBelow, kAtMost, kAtLeast, kAbove };

struct Gate {
  enum class Kind {
    kFailIf,   // fails where the relation is proven
    kRequire,  // passes where it is proven, fails where the opposite is proven
  };

  Kind kind;
  std::string text;    // text as it was typed: "throughput<-3%"
  std::string metric;  // name of the metric
  Relation relation;
  double change;  // limit of a ratio less 1: -0.03
};

enum class GateOutcome { kPassed, kFailed, kInconclusive };

// Returns "passed", "failed" or "inconclusive".
constexpr std::array<std::string_view, 3> NamesOf(GateOutcome) {
  return {"passed", "failed", "inconclusive"};
}

// Returns the gate's outcome for ComparedRow::judged. None, a ratio without an interval, is
// inconclusive for each gate. An interval on both sides of the limit proves nothing: Kind::kFailIf
// passes, but for Kind::kRequire it is too little.
GateOutcome OutcomeOf(const Gate& gate, const std::optional<stats::RatioEstimate>& ratio);

struct GateResult {
  struct Row {
    std::size_t place;  // index in Comparison::rows
    GateOutcome outcome;
  };

  Gate gate;
  GateOutcome outcome;      // failed where one row is, otherwise inconclusive where one is
  std::vector<Row> rows{};  // all ratios of its metric
  // Number of rows that are not judged, because more blocks would not give them a ratio
  // (ComparedRow::never). If all rows are left out, the gate is inconclusive.
  std::size_t left_out = 0;
  // Index of the row that matters most: among the rows of this outcome, the one whose ratio is
  // furthest on the unwanted side; a row without a ratio only if all lack it. None: no such row.
  std::optional<std::size_t> worst{};
};

GateResult Judge(const Gate& gate, const std::vector<ComparedRow>& rows);

// Returns failed if a gate is, otherwise inconclusive if one is. Requires: not empty.
GateOutcome OutcomeOfAll(const std::vector<GateResult>& gates);

}  // namespace schedbench::harness

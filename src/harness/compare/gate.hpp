#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/analysis.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the ratios of a comparison must, or must not, come out as: the answer that a script waits for. Only whole intervals
// count, so that chance alone does not turn a build red. Pure functions; thread-safe.

namespace schedbench::harness {

using schedbench::ToText;

enum class Relation { kBelow, kAtMost, kAtLeast, kAbove };

struct Gate {
  enum class Kind {
    kFailIf,   // fails where the relation is proven
    kRequire,  // passes where it is proven, fails where its contrary is
  };

  Kind kind;
  std::string text;    // as it was typed: "throughput<-3%"
  std::string metric;  // by name
  Relation relation;
  double change;  // what a ratio less 1 is held against: -0.03
};

enum class GateOutcome { kPassed, kFailed, kInconclusive };

// Returns "passed", "failed" or "inconclusive".
constexpr std::array<std::string_view, 3> NamesOf(GateOutcome) {
  return {"passed", "failed", "inconclusive"};
}

// Returns how the gate takes a ratio, or a difference by its reference (ComparedRow::judged). None stands for a ratio without an interval: whatever the gate, it is inconclusive. An
// interval on both sides of the limit proves nothing, which is all that Kind::kFailIf asks for, and too little for
// Kind::kRequire.
GateOutcome OutcomeOf(const Gate& gate, const std::optional<stats::RatioEstimate>& ratio);

struct GateResult {
  struct Row {
    std::size_t place;  // in Comparison::rows
    GateOutcome outcome;
  };

  Gate gate;
  GateOutcome outcome;    // failed where one row is, else inconclusive where one is
  std::vector<Row> rows;  // all ratios of its metric
  // Rows that are not judged, because more blocks would not give them a ratio either (ComparedRow::never). Where no other is
  // left, the gate is inconclusive.
  std::size_t left_out = 0;
  // The place of the row that says most: of those of this outcome the one whose ratio is furthest on the side that the gate
  // is against, and one without a ratio only where none has one. None: no row has this metric.
  std::optional<std::size_t> worst;
};

GateResult Judge(const Gate& gate, const std::vector<ComparedRow>& rows);

// Of all gates: failed where one is, else inconclusive where one is. Requires: not empty.
GateOutcome OutcomeOfAll(const std::vector<GateResult>& gates);

}  // namespace schedbench::harness

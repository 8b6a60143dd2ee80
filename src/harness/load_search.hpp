#pragma once

#include "base/enum_text.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace schedbench::harness {

using schedbench::ToText;

// The range of the search for the largest rate. Requires: 0 < lowest <= first <= highest.
struct LoadRange {
  double first;  // tried first
  double lowest;
  double highest;
  // The search ends when the smallest failing rate is this factor above the largest that holds.
  double resolution = 1.02;
  int max_probes = 40;  // enough from any first to both ends of a range of 2^32 and back
  double step = 2;      // factor from `first` to the next rate; squared from there on, up to 2
};

enum class LoadEnding {
  kFound,
  kNeverHolds,   // not even the lowest
  kAlwaysHolds,  // even the highest
  kOutOfProbes,
  kStopped,  // `holds` stopped it
};

constexpr std::array<std::string_view, 5> NamesOf(LoadEnding) {
  return {"found", "never holds", "always holds", "out of probes", "stopped"};
}

// The result of a search. If both are present, holds < fails. No rate below `holds` failed after it
// was seen to hold, and no rate above `fails` held.
struct LoadBounds {
  std::optional<double> holds;  // the largest rate that was seen to hold
  std::optional<double> fails;  // the smallest one that was seen not to
  LoadEnding ending;
};

// Looks for the largest rate that holds: goes up or down from the first until one holds and its
// neighbour does not, then halves the distance of their logarithms. `holds` tries a rate, each at
// most once; none: stop. It may err, as any measurement does: then the answer is a rate that was
// seen to hold next to one that was seen to fail, which near the limit may be either. Nothing is
// tried twice to get another answer. Rates have four digits, except for the three of the range.
LoadBounds FindLargestLoad(const LoadRange& range,
                           const std::function<std::optional<bool>(double rate)>& holds);

}  // namespace schedbench::harness

#pragma once

#include "base/enum_text.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace schedbench::harness {

using schedbench::ToText;

// Where to look for the largest rate that holds. Requires: 0 < lowest <= first <= highest.
struct LoadRange {
  double first;  // tried first
  double lowest;
  double highest;
  double resolution =
      1.02;             // near enough: the smallest that does not hold by the largest that does
  int max_probes = 40;  // from any first to both ends of a range of 2^32, and back
  double step = 2;      // from `first` to the next rate; squared from there on, up to 2
};

enum class LoadEnding {
  kFound,
  kNeverHolds,   // not even the lowest
  kAlwaysHolds,  // even the highest
  kOutOfProbes,
  kStopped,  // by `holds`
};

// Returns "found", "never holds", "always holds", "out of probes" or "stopped".
constexpr std::array<std::string_view, 5> NamesOf(LoadEnding) {
  return {"found", "never holds", "always holds", "out of probes", "stopped"};
}

// What a search found out. Where both are there, holds < fails. No rate below `holds` was seen to fail after it was seen to
// hold, and none above `fails` to hold.
struct LoadBounds {
  std::optional<double> holds;  // the largest rate that was seen to hold
  std::optional<double> fails;  // the smallest one that was seen not to
  LoadEnding ending;
};

// Looks for the largest rate that holds: goes up or down from the first until one holds and its neighbour does not, then
// halves the distance of their logarithms. `holds` tries a rate, each at most once; none: stop. It may err, as any
// measures does: then the answer is a rate that was seen to hold next to one that was seen not to, which with a rate near the
// limit may be either; nothing is tried twice to get another answer. Rates have four digits, for people to type, except for
// the three of the range.
LoadBounds FindLargestLoad(const LoadRange& range,
                           const std::function<std::optional<bool>(double rate)>& holds);

}  // namespace schedbench::harness

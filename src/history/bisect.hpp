#pragma once

#include "history/nearer.hpp"

#include <cstddef>
#include <functional>
#include <vector>

// Searches for the cause of a difference. `test`: whether a candidate is good or bad, or neither.
// Each candidate is tested once. Uses no threads of its own.

namespace schedbench::history {

// Returns a smallest bad set of fields: without any one of them it is not proven to be bad (A.
// Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002). The order of
// the fields decides between such sets. Requires: all fields are bad, none is good.
std::vector<std::size_t> MinimalCause(
    std::size_t fields, const std::function<Nearer(const std::vector<std::size_t>& chosen)>& test);

// The revisions that may be the first bad one.
struct FirstBad {
  std::size_t first;                 // the oldest candidate
  std::size_t last;                  // proven to be bad; with first == last it is the first bad one
  std::vector<std::size_t> skipped;  // neither good nor bad, in this range
};

// Returns the first bad one of `count` revisions in their order. The last one is bad and the
// predecessor of the first one is good. Requires: count >= 1.
FirstBad FindFirstBad(std::size_t count, const std::function<Nearer(std::size_t revision)>& test);

}  // namespace schedbench::history

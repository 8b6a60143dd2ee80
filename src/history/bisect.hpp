#pragma once

#include "history/nearer.hpp"

#include <cstddef>
#include <functional>
#include <vector>

// Searches for the cause of a difference. `test`: whether a candidate is good or bad; it may answer neither. Each
// candidate is tested once. No threads of its own.

namespace schedbench::history {

// Returns a smallest set of fields that is bad: without any one of them it is not proven to be bad (A. Zeller, R.
// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002). The order of the fields decides between several such
// sets. Requires: all fields together are bad, none of them is good.
std::vector<std::size_t> MinimalCause(
    std::size_t fields, const std::function<Nearer(const std::vector<std::size_t>& chosen)>& test);

// The revisions among which the first bad one is.
struct FirstBad {
  std::size_t first;                 // the oldest that may be it
  std::size_t last;                  // proven to be bad; with first == last it is the first bad one
  std::vector<std::size_t> skipped;  // neither good nor bad, in this range
};

// Returns the first bad of `count` revisions in their order, of which the last is bad and what comes before the first is good.
// Requires: count >= 1.
FirstBad FindFirstBad(std::size_t count, const std::function<Nearer(std::size_t revision)>& test);

}  // namespace schedbench::history

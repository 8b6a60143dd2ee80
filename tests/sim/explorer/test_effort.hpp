#pragma once

#include "tests/sim/explorer/explorer.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::sim {

// What `make test` explores of a model: orders with at most two preemptions, which show nearly all
// faults, and of those the first 10,000 executions. `make mutants` measures how many of the faults
// in sim/mutants that shows.
inline Effort QuickEffort(const Model& model) {
  constexpr unsigned kPreemptions = 2;
  constexpr std::uint64_t kExecutions = 10'000;
  Effort effort;
  effort.limits = model.limits;
  if (!model.must_fail) {
    effort.limits.preemptions = std::min(effort.limits.preemptions, kPreemptions);
    effort.executions = kExecutions;
  }
  return effort;
}

// What `make test-full` explores of a model: the limits that `make model` explores to their end, of
// which it takes the first 100,000 executions. A model that must fail is explored until it fails.
inline Effort FullEffort(const Model& model) {
  constexpr std::uint64_t kExecutions = 100'000;
  Effort effort;
  effort.limits = model.limits;
  if (!model.must_fail) {
    effort.executions = kExecutions;
  }
  return effort;
}

}  // namespace schedbench::sim

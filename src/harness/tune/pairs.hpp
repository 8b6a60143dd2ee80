#pragma once

#include "harness/experiment/data.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace schedbench::harness {

// The rounds of one candidate under each workload of a plan, the searched ones first.
using TuneSeries = std::vector<Series>;

// A candidate compared with another: for each block that both have under all of the workloads, the
// mean over the workloads of the logarithms of the ratios.
struct TunePairs {
  std::vector<double> values;
  std::string missing = "";  // why there are no values, or not a fair sample; "" otherwise
};

// Returns the ratios of `candidate` to `other` by the metric of the objective, under the workloads
// `first` to `last` - 1. Pure; thread-safe.
TunePairs PairsOf(const TunePlan& plan, Objective objective, const TuneSeries& candidate,
                  const TuneSeries& other, std::size_t first, std::size_t last);

// Returns the logarithms of the values themselves by block, without a comparison.
TunePairs LogValuesOf(const TunePlan& plan, Objective objective, const TuneSeries& candidate,
                      std::size_t first, std::size_t last);

// Returns why a candidate has no more blocks under one of its workloads; "" if it has more.
const std::string& FailureOf(const TuneSeries& candidate);

}  // namespace schedbench::harness

#pragma once

#include "harness/tune/tuner.hpp"

#include <cstdint>

// The parts of the tuner beside the search. For tuner.cpp.

namespace schedbench::harness {

// Measures the finalists of the search side by side, under all workloads, on fresh data, and adds the result to `data`.
// `start_ns`: when the budget began.
void CompareFinalists(const TunePlan& plan, const TuneEvents& events, std::uint64_t start_ns,
                      TuneData& data);

// Adds blocks, or a failure.
void AppendSeries(Series& to, Series from);

}  // namespace schedbench::harness

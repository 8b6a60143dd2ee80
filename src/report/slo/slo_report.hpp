#pragma once

#include "harness/slo_search.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <vector>

// The result of a search for the largest rate that holds. Pure; thread-safe.

namespace schedbench::report {

// Returns a line for a rate, without a newline: "20000 requests/s   p99.9 131 us   holds".
std::string ProbeLine(const registry::WorkloadEntry& workload,
                      const std::vector<harness::LatencyLimit>& limits,
                      const harness::LoadProbe& probe, const TerminalStyle& style);

// Returns the rates in order, each with its latencies and verdict, and the answer.
Document DocumentOf(const harness::SloResult& result, const TerminalStyle& style);

// Returns the JSON record of the result with every round.
record::Record RecordOf(const harness::SloResult* /*type*/);

}  // namespace schedbench::report

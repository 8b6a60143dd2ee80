#pragma once

#include "harness/slo_search.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

// What a search for the largest rate that holds has found. Pure; thread-safe.

namespace schedbench::report {

// One line of a rate that was tried, without a newline: "20000 requests/s   p99.9 131 us   holds".
std::string ProbeLine(const registry::WorkloadEntry& workload,
                      const std::vector<harness::LatencyLimit>& limits,
                      const harness::LoadProbe& probe, const TerminalStyle& look);

// For people: the rates by size, each with what speaks for its verdict, and the answer.
std::string RenderSloTable(const harness::SloResult& result, const TerminalStyle& look);

// For programs: the same, and every round.
std::string RenderSloJson(const harness::SloResult& result, const TerminalStyle& look);

}  // namespace schedbench::report

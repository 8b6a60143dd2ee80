#pragma once

#include "harness/slo_search.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

// The result of a search for the largest rate that holds. Pure; thread-safe.

namespace schedbench::report {

// One line for a rate, without a newline: "20000 requests/s   p99.9 131 us   holds".
std::string ProbeLine(const registry::WorkloadEntry& workload,
                      const std::vector<harness::LatencyLimit>& limits,
                      const harness::LoadProbe& probe, const TerminalStyle& style);

// For people: the rates in order, each with its latencies and verdict, and the answer.
std::string RenderSloTable(const harness::SloResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
std::string RenderSloJson(const harness::SloResult& result, const TerminalStyle& style);

// A page with a chart of the latencies by rate. Requires: HasChartPage().
std::string RenderSloHtml(const harness::SloResult& result, const TerminalStyle& style);

// A row for each rate.
std::string RenderSloCsv(const harness::SloResult& result, const TerminalStyle& style);
std::string RenderSloMarkdown(const harness::SloResult& result, const TerminalStyle& style);

}  // namespace schedbench::report

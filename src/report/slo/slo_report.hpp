#pragma once

#include "harness/slo_search.hpp"
#include "record/record.hpp"
#include "report/parts/flat_table.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <string_view>
#include <vector>

// The result of a search for the largest rate that holds. Pure; thread-safe.

namespace schedbench::report {

// One line for a rate, without a newline: "20000 requests/s   p99.9 131 us   holds".
std::string ProbeLine(const registry::WorkloadEntry& workload,
                      const std::vector<harness::LatencyLimit>& limits,
                      const harness::LoadProbe& probe, const TerminalStyle& style);

// Parts of the reports.

// The name of the latency, as in the limit: "p99.9".
std::string_view SloLatencyName(const harness::LatencyLimit& limit);

// The rate, for each limit the latency and its spread, and the verdict.
std::vector<std::string> ProbeCells(const harness::SloResult& result,
                                    const harness::LoadProbe& probe, const TerminalStyle& style);

// The largest rate that holds, in a line; "" while the search runs.
std::string SloAnswer(const harness::SloResult& result, const TerminalStyle& style);

std::vector<Note> SloNotes(const harness::SloResult& result);

// Returns the probes in ascending order of their rates.
std::vector<const harness::LoadProbe*> ProbesByRate(const harness::SloResult& result);

// For people: the rates in order, each with its latencies and verdict, and the answer.
std::string RenderTable(const harness::SloResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
std::string RenderJson(const harness::SloResult& result);
const record::Record& RecordOf(const harness::SloResult* /*type*/);

// A page with a chart of the latencies by rate. Requires: HasChartPage().
std::string RenderHtml(const harness::SloResult& result);

// A row for each rate.
FlatTable Flattened(const harness::SloResult& result, const TerminalStyle& style);

}  // namespace schedbench::report

#pragma once

#include "harness/metg/metg.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/parts/flat_table.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <cstddef>
#include <string>
#include <vector>

// The result of schedbench metg. Pure; thread-safe.

namespace schedbench::report {

struct MetgResult {
  harness::MetgPlan plan;
  harness::MetgData data;
  std::vector<harness::MetgCurve> curves;  // AnalyseMetg()
  std::string perturbed;                   // what disturbed it on purpose; "" for nothing
  platform::MachineInfo machine;           // at the start
  std::vector<std::string> command;        // the command line
};

// For people: a table of results and a table of efficiencies by grain for each workload, notes, failures.
std::string RenderTable(const MetgResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
std::string RenderJson(const MetgResult& result);
const record::Record& RecordOf(const MetgResult* /*type*/);

// A page with charts: the results, and the efficiency by grain. Requires: HasChartPage().
std::string RenderHtml(const MetgResult& result);

// A row for each result and for each point of its curve.
FlatTable Flattened(const MetgResult& result, const TerminalStyle& style);

// Returns the result, its interval, its ratio to the first alternative and the conclusion. `index`:
// of the curve.
std::vector<std::string> GranularityCells(const MetgResult& result, std::size_t index,
                                          const TerminalStyle& style);

// Whether and why the measurement ended early, and what was disturbed; a line each.
std::string MetgEndingLines(const MetgResult& result, const TerminalStyle& style);

// A line for each curve that has failed, with the reason.
std::string MetgFailureLines(const MetgResult& result, const TerminalStyle& style);

std::vector<Note> NotesOn(const MetgResult& result);

}  // namespace schedbench::report

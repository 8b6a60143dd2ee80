#pragma once

#include "report/metg/metg_report.hpp"
#include "report/parts/notes.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Parts of the reports on granularities. Pure; thread-safe.

namespace schedbench::report {

// The result, its interval, its ratio to the first alternative and the conclusion. `index`: of the curve.
std::vector<std::string> GranularityCells(const MetgResult& result, std::size_t index,
                                          const TerminalStyle& style);

// Whether and why the measurement ended early, and what was disturbed; a line each.
std::string MetgEndingLines(const MetgResult& result, const TerminalStyle& style);

// A line for each curve that has failed, with the reason.
std::string MetgFailureLines(const MetgResult& result, const TerminalStyle& style);

std::vector<Note> NotesOn(const MetgResult& result);

}  // namespace schedbench::report

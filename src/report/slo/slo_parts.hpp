#pragma once

#include "report/parts/notes.hpp"
#include "report/slo/slo_report.hpp"

#include <string>
#include <string_view>
#include <vector>

// Parts of the reports on a search for a rate. Pure; thread-safe.

namespace schedbench::report {

// The name of the latency, as in the limit: "p99.9".
std::string_view SloLatencyName(const harness::LatencyLimit& limit);

// The rate, for each limit the latency and its spread, and the verdict.
std::vector<std::string> ProbeCells(const harness::SloResult& result,
                                    const harness::LoadProbe& probe, const TerminalStyle& style);

// The largest rate that holds, in a line; "" while the search runs.
std::string SloAnswer(const harness::SloResult& result, const TerminalStyle& style);

std::vector<Note> SloNotes(const harness::SloResult& result);

}  // namespace schedbench::report

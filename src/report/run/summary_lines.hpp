#pragma once

#include "harness/result.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>

namespace schedbench::report {

// Returns the lines that answer "how fast is it": throughput, wake-up latency, CPU time and idle share, each
// with its unit and its spread. Requires: a round is finished.
std::string SummaryLines(const harness::RunResult& result, const TerminalStyle& look);

}  // namespace schedbench::report

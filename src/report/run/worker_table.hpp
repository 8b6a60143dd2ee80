#pragma once

#include "harness/result.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>

namespace schedbench::report {

// Returns one row per worker, of the metrics that explain a throughput, and the total. Columns of what never
// happened are left out. "" when no round was finished.
std::string WorkerTable(const harness::RunResult& result, const TerminalStyle& look);

}  // namespace schedbench::report

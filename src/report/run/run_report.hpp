#pragma once

#include "harness/result.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <vector>

// The report of a run. Pure; thread-safe.

namespace schedbench::report {

// Returns the metrics with their spread, the table of workers, notes, and how to repeat the run; a
// page also has charts of the rounds, the latencies and the workers.
Document DocumentOf(const harness::RunResult& result, const TerminalStyle& style);

// Returns the JSON record of the result with every round.
record::Record RecordOf(const harness::RunResult* /*type*/);

// Returns a repetition for each round, for the tools of Google Benchmark.
std::vector<Repetitions> RepetitionsOf(const harness::RunResult& result);

// Returns throughput, latencies, CPU time and idle share with spreads. Requires: a finished round.
std::string SummaryLines(const harness::RunResult& result, const TerminalStyle& style);

// Returns a row for each worker with the metrics that explain a throughput, and the total, without
// columns of zeros; "" without workers.
std::string WorkerTable(const harness::RunResult& result, const TerminalStyle& style);

}  // namespace schedbench::report

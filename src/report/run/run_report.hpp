#pragma once

#include "harness/result.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <vector>

// What a run has measured. Pure; thread-safe.

namespace schedbench::report {

// The metrics with their spread, the table of workers, notes, and how to repeat the run; a page
// also has charts of the rounds, the latencies and the workers.
Document DocumentOf(const harness::RunResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
const record::Record& RecordOf(const harness::RunResult* /*type*/);

// A repetition for each round, for the tools of Google Benchmark.
std::vector<Repetitions> RepetitionsOf(const harness::RunResult& result);

// Parts of the table. Throughput, latencies, CPU time and idle share, each with its unit and its spread. Requires: a round is
// finished.
std::string SummaryLines(const harness::RunResult& result, const TerminalStyle& style);

// A row per worker with the metrics that explain a throughput, and the total, without columns of zeros. "" without workers.
std::string WorkerTable(const harness::RunResult& result, const TerminalStyle& style);

}  // namespace schedbench::report

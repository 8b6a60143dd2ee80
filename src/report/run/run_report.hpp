#pragma once

#include "harness/result.hpp"
#include "record/record.hpp"
#include "report/parts/flat_table.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>

// What a run has measured. Pure; thread-safe.

namespace schedbench::report {

// For people: the metrics with their spread, the table of workers, notes, and how to repeat the run.
std::string RenderTable(const harness::RunResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
std::string RenderJson(const harness::RunResult& result);
const record::Record& RecordOf(const harness::RunResult* /*type*/);

// A row for each metric.
FlatTable Flattened(const harness::RunResult& result, const TerminalStyle& style);

// A page with charts: the rounds, the metrics, latencies, and what each worker did. Requires: HasChartPage().
std::string RenderHtml(const harness::RunResult& result);

// For the tools of Google Benchmark: a repetition for each round.
std::string RenderGbenchJson(const harness::RunResult& result);

// Parts of the table. Throughput, latencies, CPU time and idle share, each with its unit and its spread. Requires: a round is
// finished.
std::string SummaryLines(const harness::RunResult& result, const TerminalStyle& style);

// A row per worker with the metrics that explain a throughput, and the total, without columns of zeros. "" without workers.
std::string WorkerTable(const harness::RunResult& result, const TerminalStyle& style);

}  // namespace schedbench::report

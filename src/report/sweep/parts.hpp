#pragma once

#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"
#include "report/sweep/sweep_report.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Parts of the reports on cells. Pure; thread-safe.

namespace schedbench::report {

// "workers=2 lifo_limit=3"
std::string CellName(const harness::SweepPlan& plan, std::size_t cell);

// "1.20 M operations/s": a value of the metric. Throughput has the operation of the cell's workload.
std::string ValueText(const harness::SweepPlan& plan, std::size_t cell, double value,
                      const TerminalStyle& style);

// "1.20 M/s": the same without the operation, for columns.
std::string ShortValueText(const harness::SweepPlan& plan, double value,
                           const TerminalStyle& style);

// "1.20 M operations/s ±2.7 %"
std::string WithSpread(const harness::SweepPlan& plan, std::size_t cell,
                       const harness::Spread& spread, const TerminalStyle& style);

// "best", "same", "worse", "ended early: worse", "failed", "" ...
std::string StatusOf(const SweepResult& result, std::size_t cell);

// The command that runs the cell alone, with the seed.
std::string CommandOf(const harness::SweepPlan& plan, std::size_t cell);

// A line for each cell that has failed, was refused, is not possible or was lost with its place, with the reason; at most `most`
// of each of the four.
std::string FailureLines(const SweepResult& result, const TerminalStyle& style);

// "5 blocks on a (1.02 of the mean), 5 blocks on b (0.98 of the mean)"; "" where no blocks are distributed.
std::string BlocksOfPlaces(const SweepResult& result);

// Whether and why the measurement ended early, the places, and what was disturbed; a line each.
std::string EndingLines(const SweepResult& result, const TerminalStyle& style);

// What all cells have in common: "fast", "yield", "4 cells", "20 blocks of 3 rounds and 1 warm-up".
std::vector<std::string> HeadlineParts(const SweepResult& result);

std::vector<Note> NotesOn(const SweepResult& result);

// How far the shares of the keys can be relied on; a line each.
std::string ReliabilityLines(const SweepResult& result);

// The laws of a curve with their parameters; a line each.
std::string LawLines(const harness::ScaleCurve& curve);

// Of a point of a curve: workers, throughput, its spread, speed-up, efficiency, remarks.
std::vector<std::string> CurveCells(const SweepResult& result, const harness::ScaleCurve& curve,
                                    const harness::ScalePoint& point, const TerminalStyle& style);

// Returns a table of the curve and the laws for each scheduler.
std::string ScaleTables(const SweepResult& result, const TerminalStyle& style);

// The axis of the metric by which cells are compared.
Json AxisOfCells(const harness::SweepPlan& plan);

// Returns a section for each scheduler with its curve and laws; before them, if there are several,
// one with all of them.
Json ScaleSections(const SweepResult& result);

}  // namespace schedbench::report

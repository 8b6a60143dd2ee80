#pragma once

#include "report/sweep/sweep_report.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Parts of the reports on cells. Pure; thread-safe.

namespace schedbench::report {

// Returns "workers=2 lifo_limit=3".
std::string CellName(const harness::SweepPlan& plan, std::size_t cell);

// Returns a value of the metric, "1.20 M operations/s", with the operation of the workload.
std::string ValueText(const harness::SweepPlan& plan, std::size_t cell, double value,
                      const TerminalStyle& style);

// Returns the value without the operation, "1.20 M/s", for columns.
std::string ShortValueText(const harness::SweepPlan& plan, double value,
                           const TerminalStyle& style);

// Returns "1.20 M operations/s ±2.7 %".
std::string WithSpread(const harness::SweepPlan& plan, std::size_t cell,
                       const harness::Spread& spread, const TerminalStyle& style);

// Returns "best", "same", "worse", "ended early: worse", "failed", "" ...
std::string StatusOf(const SweepResult& result, std::size_t cell);

// Returns the command that runs only the cell, with the seed.
std::string CommandOf(const harness::SweepPlan& plan, std::size_t cell);

// Returns a sentence for each cell that has failed, was refused, is not possible or was lost with
// its machine, with the reason; at most 20 of each of the four.
std::vector<Sentence> FailuresOf(const SweepResult& result);

// Returns whether and why the measurement ended early, the machines, and what was disturbed.
std::vector<Note> EndingsOf(const SweepResult& result);

// Returns common facts: "fast", "yield", "4 cells", "20 blocks of 3 rounds and 1 warm-up".
std::vector<std::string> HeadlineParts(const SweepResult& result);

std::vector<Note> NotesOn(const SweepResult& result);

// Returns the axis of the metric by which cells are compared.
Json AxisOfCells(const harness::SweepPlan& plan);

// Returns a section for each scheduler with its curve and laws; if several, all share the first
// one.
std::vector<Section> ScaleSections(const SweepResult& result, const TerminalStyle& style);

}  // namespace schedbench::report

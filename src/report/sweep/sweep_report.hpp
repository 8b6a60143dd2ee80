#pragma once

#include "harness/experiment/data.hpp"
#include "harness/sweep/analysis.hpp"
#include "harness/sweep/plan.hpp"
#include "harness/sweep/scale.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The result of cells measured in turn: a sweep, numbers of workers, a suite. Pure; thread-safe.

namespace schedbench::report {

struct SweepResult {
  enum class Kind { kSweep, kScale, kSuite };

  Kind kind = Kind::kSweep;
  harness::SweepPlan plan;
  harness::ExperimentData data;
  harness::SweepAnalysis analysis;
  std::optional<std::pair<std::size_t, std::size_t>> pair;  // keys of the two-way table
  std::vector<harness::ScaleCurve> curves;                  // curves of kScale
  platform::MachineInfo machine;                            // at the start
  std::vector<std::string> command;                         // the command line
};

// Returns for a sweep: the best cell, those that may be as good, a table for each key and for a
// pair of keys, what each key explains, and the failed cells; for numbers of workers: a table and
// the laws for each scheduler; for a suite: a line for each cell.
Document DocumentOf(const SweepResult& result, const TerminalStyle& style);

// Returns the JSON record of the result's kind with every round. `result` must not be null.
const record::Record& RecordOf(const SweepResult* result);

}  // namespace schedbench::report

#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"
#include "cli/output/delivery.hpp"
#include "cli/results/journal.hpp"
#include "harness/sweep/plan.hpp"
#include "harness/sweep/sampler.hpp"
#include "report/sweep/sweep_report.hpp"

#include <exception>
#include <optional>

namespace schedbench::cli {

struct MeasuredCells {
  harness::SweepData data;
  // A journal that could not be written has ended the measurement. The result is delivered before this is thrown.
  std::exception_ptr unwritten;
};

// Measures the cells with the progress on stderr, until Ctrl-C. `journal`: of this plan, or null. Main thread.
MeasuredCells MeasureCells(const Arguments& arguments, const harness::SweepPlan& plan,
                           Journal* journal);

// Analyses what was measured, writes the result, and returns the exit code: 4 if a cell has failed, else 2 if the machine refused
// one, 130 after an interruption.
ExitCode DeliverCells(report::SweepResult& result, MeasuredCells measured,
                      const Delivery& delivery);

}  // namespace schedbench::cli

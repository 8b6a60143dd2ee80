#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"
#include "cli/output/delivery.hpp"
#include "cli/results/journal.hpp"
#include "harness/compare/sampler.hpp"
#include "harness/sweep/plan.hpp"
#include "harness/sweep/sampler.hpp"
#include "platform/process/interrupt.hpp"
#include "report/sweep/sweep_report.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <string>

namespace schedbench::cli {

// Returns the exit code for a series: 4 if it has failed, 2 if the machine or the agent refused it
// or has no such workload, else 0. Of several series the largest one counts.
ExitCode CodeOfSeries(const harness::Series& series);

// What connects a measurement of cells to Ctrl-C and to a journal. Main thread.
class JournaledMeasurement {
 public:
  // `journal`: of the plan that is measured, or null.
  explicit JournaledMeasurement(Journal* journal)
      : journal_(journal) {
  }

  // Sets the functions that the measurement asks: `cancelled`, and with a journal `known` and `measured`. They must
  // not outlive this object.
  template <typename Events>
  void Connect(Events& events) {
    events.cancelled = [this] { return IsCancelled(); };
    if (journal_ != nullptr) {
      // Events of a measurement that is made here pass no place.
      events.known = [this](std::size_t cell, std::size_t block, const std::string& place = "") {
        return journal_->Known(cell, block, place);
      };
      if constexpr (requires { events.known_at; }) {
        events.known_at = [this](std::size_t block) { return journal_->PlacesOf(block); };
      }
      events.measured = [this](std::size_t cell, std::size_t block, const harness::Series& series) {
        Add(cell, block, series);
      };
    }
  }

  // A journal that could not be written has ended the measurement; null otherwise.
  std::exception_ptr Unwritten() const {
    return unwritten_;
  }

 private:
  bool IsCancelled();
  void Add(std::size_t cell, std::size_t block, const harness::Series& series);

  Journal* const journal_;
  platform::InterruptibleEvent interrupt_;
  std::exception_ptr unwritten_;
};

// Measures a comparison with the progress on stderr. `cancelled`: asked many times a second; null:
// whether Ctrl-C was pressed. Main thread.
harness::ComparisonData SampleShown(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                    std::function<bool()> cancelled = nullptr);

// About how long a process of a cell takes.
struct ProcessEstimate {
  double seconds = 0;
  std::size_t tried = 0;  // cells
  std::size_t cells = 0;  // of these, with a result
};

// Measures one round of the first, the middle and the last cell that is possible: a round of a few takes about as
// long as those of the others. Requires: there is one.
ProcessEstimate EstimateProcess(const harness::SweepPlan& plan);

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

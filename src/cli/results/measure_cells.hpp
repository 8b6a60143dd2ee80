#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/journal.hpp"
#include "harness/compare/plan.hpp"
#include "platform/process/interrupt.hpp"
#include "report/sweep/sweep_report.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <string_view>

namespace schedbench::cli {

// Returns the exit code for a series: 4 if it has failed, 2 if the machine or the agent refused it
// or has no such workload, else 0. Of several series the largest one counts.
ExitCode CodeOfSeries(const harness::Series& series);

// Returns the exit code of a complete comparison, without its gates: 2 also if a machine was lost.
ExitCode CodeOfComparison(const harness::ExperimentData& data);

// Throws config::InputError if the budget ended before the first block, so that there is nothing
// that a script could use. For the time after the result, which may have failures.
void RequireABlock(const Arguments& arguments, const harness::ComparisonPlan& plan,
                   const harness::ExperimentData& data);

// What a measurement has beside its plan: Ctrl-C, the line of progress on stderr, and a journal.
// Main thread.
class Measurement {
 public:
  // `journal`: of the plan that is measured, or null.
  explicit Measurement(const Arguments& arguments, Journal* journal = nullptr)
      : line(arguments),
        journal_(journal) {
  }

  // Sets the functions of the events that connect it: `cancelled`, and with a journal `known`,
  // `known_at` and `measured`. They must not outlive this object.
  template <typename Events>
  void Connect(Events& events) {
    events.cancelled = [this] { return IsCancelled(); };
    if constexpr (requires { events.known; }) {
      if (journal_ != nullptr) {
        events.known = std::bind_front(&Journal::Known, journal_);
        events.measured = std::bind_front(&Measurement::Add, this);
        if constexpr (requires { events.known_at; }) {
          events.known_at = std::bind_front(&Journal::PlacesOf, journal_);
        }
      }
    }
  }

  // Erases the line of progress. Returns why the journal could not be written, which has ended the
  // measurement; null: it was.
  std::exception_ptr Stop();

  ProgressLine line;

 private:
  bool IsCancelled();
  void Add(std::size_t cell, std::size_t block, const harness::Series& series);

  Journal* const journal_;
  platform::InterruptibleEvent interrupt_;
  std::exception_ptr unwritten_;
};

// Measures with the progress on stderr, until Ctrl-C or `cancelled`, which is asked many times a
// second. Main thread.
harness::ExperimentData MeasureShown(const Arguments& arguments,
                                     const harness::ExperimentPlan& plan);
harness::ExperimentData MeasureShown(const Arguments& arguments,
                                     const harness::ExperimentPlan& plan,
                                     std::function<bool()> cancelled);

// About how long a process of a cell takes.
struct ProcessEstimate {
  double seconds = 0;
  std::size_t tried = 0;  // cells
  std::size_t cells = 0;  // of these, with a result
};

// Measures one round of the first, the middle and the last cell that is possible: a round of a few
// takes about as long as those of the others. Requires: there is one.
ProcessEstimate EstimateProcess(const harness::ExperimentPlan& plan);

// Measures the cells of result.plan with the progress on stderr, until Ctrl-C; analyses them,
// writes the result, and returns the exit code: 4 if a cell has failed, else 2 if the machine
// refused one, 130 after an interruption. `journaled`: the command whose journal --journal may
// name; "": it has none. Main thread.
ExitCode MeasureAndDeliver(report::SweepResult& result, const Arguments& arguments,
                           const Delivery& delivery, std::string_view journaled = "");

}  // namespace schedbench::cli

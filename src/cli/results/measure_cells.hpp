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
// or does not have the workload, otherwise 0. With several series the largest code counts.
ExitCode CodeOfSeries(const harness::Series& series);

// Returns the exit code of a complete comparison, without its gates: 2 also if a machine was lost.
ExitCode CodeOfComparison(const harness::ExperimentData& data);

// Throws config::InputError if the budget ended before the first block, so that a script could use
// nothing. Call it after the result, which may have failures.
void RequireABlock(const Arguments& arguments, const harness::ComparisonPlan& plan,
                   const harness::ExperimentData& data);

// A measurement's environment: Ctrl-C, progress on stderr, a journal. For the main thread.
class Measurement {
 public:
  // `journal`: the journal of the measured plan, or null.
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

  // Erases the progress line. Returns why the journal, and so the measurement, failed, or null.
  std::exception_ptr Stop();

  ProgressLine line;

 private:
  bool IsCancelled();
  void Add(std::size_t cell, std::size_t block, const harness::Series& series);

  Journal* const journal_;
  platform::InterruptibleEvent interrupt_;
  std::exception_ptr unwritten_;
};

// Measures with the progress on stderr, until `cancelled`, which is asked many times a second. The
// main thread calls it.
harness::ExperimentData MeasureShown(const Arguments& arguments,
                                     const harness::ExperimentPlan& plan,
                                     std::function<bool()> cancelled);

// Approximate time of a process of a cell.
struct ProcessEstimate {
  double seconds = 0;
  std::size_t tried = 0;  // number of cells
  std::size_t cells = 0;  // number of tried cells with a result
};

// Measures a round of the first, middle and last possible cell, at least one, to represent all.
ProcessEstimate EstimateProcess(const harness::ExperimentPlan& plan);

// Measures the cells of result.plan with the progress on stderr, until Ctrl-C; analyses them,
// writes the result, and returns the exit code: 4 if a cell has failed, otherwise 2 if the machine
// refused one, 130 after an interruption. `journaled`: the command of the journal that --journal
// may name; "": none. The main thread calls it.
ExitCode MeasureAndDeliver(report::SweepResult& result, const Arguments& arguments,
                           const Delivery& delivery, std::string_view journaled = "");

}  // namespace schedbench::cli

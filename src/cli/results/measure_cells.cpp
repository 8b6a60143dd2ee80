#include "cli/results/measure_cells.hpp"

#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "platform/files/file.hpp"
#include "platform/process/interrupt.hpp"
#include "report/parts/progress_text.hpp"

#include <chrono>
#include <utility>

namespace schedbench::cli {

namespace {

// Combinations that a config forbids are no failures, and in a suite neither are sizes that a scheduler refuses.
ExitCode CodeOf(const report::SweepResult& result) {
  const bool may_refuse = result.kind == report::SweepResult::Kind::kSuite;
  ExitCode code = ExitCode::kDone;
  for (std::size_t cell = 0; cell < result.data.cells.size(); ++cell) {
    const harness::Series& series = result.data.cells[cell];
    if (series.failure.empty() || !result.plan.cells[cell].impossible.empty()) {
      continue;
    }
    if (!series.refused && !series.absent) {
      return ExitCode::kWrongAnswer;
    }
    code = may_refuse ? code : ExitCode::kInput;
  }
  return code;
}

}  // namespace

MeasuredCells MeasureCells(const Arguments& arguments, const harness::SweepPlan& plan,
                           Journal* journal) {
  MeasuredCells result;
  platform::InterruptibleEvent interrupt;
  ProgressLine line(arguments);
  harness::SweepEvents events{
      .progress =
          [&](const harness::SweepProgress& progress) {
            line.Show([&] {
              return report::SweepProgressText(progress);
            });
          },
      .cancelled =
          [&] {
            return result.unwritten != nullptr ||
                   interrupt.WaitFor(std::chrono::nanoseconds::zero()).has_value();
          }};
  if (journal != nullptr) {
    events.known = [journal](std::size_t cell, std::size_t block, const std::string& place) {
      return journal->Known(cell, block, place);
    };
    events.measured = [&](std::size_t cell, std::size_t block, const harness::Series& series) {
      try {
        journal->Add(cell, block, series);
      } catch (const platform::WriteError&) {
        result.unwritten = std::current_exception();
      }
    };
  }
  result.data = harness::SampleSweep(plan, events);
  line.Stop();
  return result;
}

ExitCode DeliverCells(report::SweepResult& result, MeasuredCells measured,
                      const Delivery& delivery) {
  result.data = std::move(measured.data);
  for (harness::SweepCell& cell : result.plan.cells) {
    cell.command.front() =
        result.command.front();  // only a user's own program can repeat its cells
  }
  result.analysis = harness::AnalyseSweep(result.plan, result.data);
  if (result.kind == report::SweepResult::Kind::kScale) {
    result.curves =
        harness::ScaleCurves(result.plan, result.data, result.analysis,
                             harness::FewestCpus(result.plan.places, result.machine.cpus_allowed));
  }
  delivery.Deliver(result, &report::Format::render_sweep);
  if (measured.unwritten) {
    std::rethrow_exception(measured.unwritten);
  }
  return result.data.complete ? CodeOf(result) : ExitCode::kInterrupted;
}

}  // namespace schedbench::cli

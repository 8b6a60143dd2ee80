#include "cli/results/measure_cells.hpp"

#include "cli/output/progress_line.hpp"
#include "platform/files/file.hpp"
#include "report/parts/progress_text.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

// Combinations that a config forbids are no failures, and in a suite neither are sizes that a scheduler refuses.
ExitCode CodeOf(const report::SweepResult& result) {
  const bool may_refuse = result.kind == report::SweepResult::Kind::kSuite;
  ExitCode code = ExitCode::kDone;
  for (std::size_t cell = 0; cell < result.data.cells.size(); ++cell) {
    const harness::Series& series = result.data.cells[cell];
    const bool is_allowed = !result.plan.cells[cell].impossible.empty() ||
                            (may_refuse && (series.refused || series.absent));
    if (series.lost != harness::Series::Lost::kNot) {
      code = std::max(code, ExitCode::kInput);
    } else if (!is_allowed) {
      code = std::max(code, CodeOfSeries(series));
    }
  }
  return code;
}

}  // namespace

ExitCode CodeOfSeries(const harness::Series& series) {
  const bool is_refused = series.refused || series.absent;
  return series.failure.empty() ? ExitCode::kDone
         : is_refused           ? ExitCode::kInput
                                : ExitCode::kWrongAnswer;
}

harness::ComparisonData SampleShown(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                    std::function<bool()> cancelled) {
  std::optional<platform::InterruptibleEvent> interrupt;
  if (cancelled == nullptr) {
    interrupt.emplace();
    cancelled = std::bind_front(&platform::InterruptibleEvent::HasCome, &*interrupt);
  }
  ProgressLine line(arguments);
  return harness::Sample(
      plan, {.progress = [&line](std::size_t done, std::size_t of) { line.Update(done, of); },
             .cancelled = std::move(cancelled)});
}

ProcessEstimate EstimateProcess(const harness::SweepPlan& plan) {
  std::vector<std::size_t> possible;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    if (plan.cells[cell].impossible.empty()) {
      possible.push_back(cell);
    }
  }
  ProcessEstimate estimate;
  double nanoseconds = 0;
  for (const std::size_t place :
       std::set<std::size_t>{0, possible.size() / 2, possible.size() - 1}) {
    harness::SweepPlan probe = plan;
    probe.cells = {plan.cells[possible[place]]};
    probe.blocks = 1;
    probe.rounds = 1;
    probe.warmup = 0;
    const harness::SweepData data = harness::SampleSweep(
        probe,
        {.progress = [](const harness::SweepProgress&) {}, .cancelled = [] { return false; }});
    ++estimate.tried;
    if (!data.cells.front().blocks.empty()) {
      nanoseconds += static_cast<double>(data.cells.front().blocks.front().front().wall_ns);
      ++estimate.cells;
    }
  }
  if (estimate.cells > 0) {
    constexpr double kProcessNs = 15e6;  // to start and end one; measured on 2 virtual CPUs
    const double rounds = plan.rounds + plan.warmup;
    estimate.seconds =
        (nanoseconds / static_cast<double>(estimate.cells) * rounds + kProcessNs) / 1e9;
  }
  return estimate;
}

bool JournaledMeasurement::IsCancelled() {
  return unwritten_ != nullptr || interrupt_.HasCome();
}

void JournaledMeasurement::Add(std::size_t cell, std::size_t block, const harness::Series& series) {
  try {
    journal_->Add(cell, block, series);
  } catch (const platform::WriteError&) {
    unwritten_ = std::current_exception();
  }
}

MeasuredCells MeasureCells(const Arguments& arguments, const harness::SweepPlan& plan,
                           Journal* journal) {
  JournaledMeasurement measurement(journal);
  ProgressLine line(arguments);
  harness::SweepEvents events{.progress =
                                  [&](const harness::SweepProgress& progress) {
                                    line.Show([&] { return report::SweepProgressText(progress); });
                                  },
                              .cancelled = nullptr};
  measurement.Connect(events);
  MeasuredCells result;
  result.data = harness::SampleSweep(plan, events);
  result.unwritten = measurement.Unwritten();
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
  delivery.Deliver(result);
  if (measured.unwritten) {
    std::rethrow_exception(measured.unwritten);
  }
  return result.data.complete ? CodeOf(result) : ExitCode::kInterrupted;
}

}  // namespace schedbench::cli

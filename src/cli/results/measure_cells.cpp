#include "cli/results/measure_cells.hpp"

#include "cli/flags/cell_flags.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/sweep/measure.hpp"
#include "platform/files/file.hpp"
#include "report/parts/progress_text.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

// Forbidden combinations are not failures, nor are sizes that a scheduler refuses in a suite.
ExitCode CodeOf(const report::SweepResult& result) {
  const bool may_refuse = result.kind == report::SweepResult::Kind::kSuite;
  ExitCode code = ExitCode::kDone;
  for (std::size_t cell = 0; cell < result.data.series.size(); ++cell) {
    const harness::Series& series = result.data.Cell(cell);
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

// Returns a time that can be typed, rounded up: "30ms", "12s".
std::string TimeWord(std::chrono::nanoseconds time) {
  using std::chrono::ceil, std::chrono::milliseconds, std::chrono::seconds;
  return time < seconds(2) ? fmt::format("{}ms", ceil<milliseconds>(time).count())
                           : fmt::format("{}s", ceil<seconds>(time).count());
}

}  // namespace

ExitCode CodeOfSeries(const harness::Series& series) {
  const bool is_refused = series.refused || series.absent;
  return series.failure.empty() ? ExitCode::kDone
         : is_refused           ? ExitCode::kInput
                                : ExitCode::kWrongAnswer;
}

ExitCode CodeOfComparison(const harness::ExperimentData& data) {
  // Cells that were lost with a machine were not measured.
  ExitCode code =
      std::ranges::all_of(data.lost, &std::string::empty) ? ExitCode::kDone : ExitCode::kInput;
  for (const std::vector<harness::Series>& of_workload : data.series) {
    for (const harness::Series& series : of_workload) {
      code = series.absent ? code : std::max(code, CodeOfSeries(series));
    }
  }
  return code;
}

void RequireABlock(const Arguments& arguments, const harness::ComparisonPlan& plan,
                   const harness::ExperimentData& data) {
  if (data.unfinished_block) {
    const std::chrono::nanoseconds block = *data.unfinished_block;
    RefuseInput("{}   ended before the first block did, which takes about {}    --budget {}",
                arguments.Has(kBudgetFlag) ? PlaceOf(kBudgetFlag, arguments)
                                           : PlaceOf(kBudgetFlag, TimeWord(*plan.budget)),
                TimeWord(block),
                TimeWord(block * plan.workloads.size() *
                         harness::BlocksFor(harness::PlannedComparisons(plan), plan)));
  }
}

harness::ExperimentData MeasureShown(const Arguments& arguments,
                                     const harness::ExperimentPlan& plan,
                                     std::function<bool()> cancelled) {
  ProgressLine line(arguments);
  return harness::Measure(plan, {.progress =
                                     [&line](const harness::ExperimentProgress& progress) {
                                       line.Update(progress.rounds_done, progress.rounds);
                                     },
                                 .cancelled = std::move(cancelled)});
}

ProcessEstimate EstimateProcess(const harness::ExperimentPlan& plan) {
  std::vector<harness::Group> possible;
  for (const harness::Group& group : plan.groups) {
    for (std::size_t i = 0; i < group.alternatives.size() && group.impossible.empty(); ++i) {
      possible.push_back({.workload = group.workload,
                          .alternatives = {group.alternatives[i]},
                          .cells = {group.cells[i]}});
    }
  }
  ProcessEstimate estimate;
  double nanoseconds = 0;
  for (const std::size_t cell :
       std::set<std::size_t>{0, possible.size() / 2, possible.size() - 1}) {
    auto probe = harness::PlanLike<harness::ExperimentPlan>(plan, 1);
    probe.rounds = 1;
    probe.warmup = 0;
    probe.groups = {possible[cell]};
    const harness::ExperimentData data = harness::Measure(
        probe,
        {.progress = [](const harness::ExperimentProgress&) {}, .cancelled = [] { return false; }});
    ++estimate.tried;
    if (!data.Cell(0).blocks.empty()) {
      nanoseconds += static_cast<double>(data.Cell(0).blocks.front().front().wall_ns);
      ++estimate.cells;
    }
  }
  if (estimate.cells > 0) {
    constexpr double kProcessNs = 15e6;  // for start and end; measured on 2 virtual CPUs
    const double rounds = plan.rounds + plan.warmup;
    estimate.seconds =
        (nanoseconds / static_cast<double>(estimate.cells) * rounds + kProcessNs) / 1e9;
  }
  return estimate;
}

std::exception_ptr Measurement::Stop() {
  line.Stop();
  return unwritten_;
}

bool Measurement::IsCancelled() {
  return unwritten_ != nullptr || interrupt_.HasCome();
}

void Measurement::Add(std::size_t cell, std::size_t block, const harness::Series& series) {
  try {
    journal_->Add(cell, block, series);
  } catch (const platform::WriteError&) {
    unwritten_ = std::current_exception();
  }
}

ExitCode MeasureAndDeliver(report::SweepResult& result, const Arguments& arguments,
                           const Delivery& delivery, std::string_view journaled) {
  const std::unique_ptr<Journal> journal =
      journaled.empty() ? nullptr
                        : JournalOf(arguments,
                                    {.experiment = harness::ExperimentOf(result.plan),
                                     .keys = result.plan.keys,
                                     .perturbed = result.plan.perturbed},
                                    result.plan.seed, result.machine, journaled);
  Measurement measurement(arguments, journal.get());
  harness::ExperimentEvents events{
      .progress =
          [&](const harness::ExperimentProgress& progress) {
            measurement.line.Show([&] { return report::CellsProgressText(progress); });
          },
      .cancelled = nullptr};
  measurement.Connect(events);
  result.data = harness::MeasureSweep(result.plan, std::move(events));
  const std::exception_ptr unwritten = measurement.Stop();
  for (harness::SweepCell& cell : result.plan.cells) {
    // Only a user's own program can repeat its cells.
    cell.command.front() = result.command.front();
  }
  result.analysis = harness::AnalyseSweep(result.plan, result.data);
  if (result.kind == report::SweepResult::Kind::kScale) {
    result.curves =
        harness::ScaleCurves(result.plan, result.data, result.analysis,
                             harness::FewestCpus(result.plan.places, result.machine.cpus_allowed));
  }
  delivery.Deliver(result, unwritten);
  return result.data.complete ? CodeOf(result) : ExitCode::kInterrupted;
}

}  // namespace schedbench::cli

#include "cli/flags/study.hpp"

#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/metrics.hpp"
#include "cli/flags/peers.hpp"
#include "cli/output/file_conflicts.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/explain_difference.hpp"
#include "cli/results/journal.hpp"
#include "cli/results/measure_cells.hpp"
#include "cli/results/saved_comparison.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/time/clock.hpp"
#include "report/parts/progress_text.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr auto kFromFilesFlag =
    TextFlag{"--from", "", "FILE",
             "Measure nothing: take the problems from a result of compare or study -o FILE.json"}
        .Reads()
        .Repeatable();
constexpr auto kObservedForFlag =
    TimeFlag{"--for", "", "TIME",
             "How long each side of the largest difference is observed; 0: not at all"}
        .Checked(kTimeOrZero)
        .Default("1s");

constexpr auto kMeasuringFlags =
    FlagsOf(kStudiedFlag, kWithFlag, kStudiedWorkersFlag, kStallsFlag, kHogsFlag);

constexpr auto kStudyFlags = FlagsOf(kMeasuringFlags, kExtentFlags, kMetricFlag, kFromFilesFlag,
                                     kObservedForFlag, kJournalFlag.Usually("NAME.journal"),
                                     kOutputFlags, kOutputFlag.Usually("NAME.html and NAME.json"));

constexpr std::string_view kStudyDetails =
    R"(Compares alternatives on problems, and writes one page and one JSON file to attach to a decision. A
problem is a workload, undisturbed or under a perturbation: --stall, --hog and --workers each add a
case beside the undisturbed one, and may have several values. NAME names the study and its files:
NAME.html, NAME.json and NAME.journal. After Ctrl-C the same command continues; after its end it
measures nothing again, unless there are more --blocks.

The alternatives are those of schedbench compare, which measures each problem: WHAT is a scheduler
with settings or a config, --with adds foreign runtimes, and the first one is the reference. All
intervals of all problems hold together with 95 %.

The result has
  performance profiles   for each alternative the share of problems on which it is within a factor
                         of the best one (Dolan and More, 2002), by its median time per operation,
                         or the metric by which the workload ranks. One that has failed is within
                         none. A problem that some alternative does not have is left out.
  verdicts               each alternative as a ratio to the first, by problem
  the largest difference the ratio whose interval is the furthest from 1, the metrics that differ
                         with it, and of both sides flame graphs of CPU time and waits, and a
                         timeline. --for runs them in this process after the measurement. They need
                         two schedulers of this program, which are preferred.
  findings               what the doctor finds before the measurement
  again                  commands that repeat the parts

--budget is shared by the cases. --from builds the same from saved results of this machine and build;
the alternatives of all files must have the same names.
)";

// "out/fast.html" is no name: its files would be out/fast.html.html and more.
void CheckStudyName(const std::string& name, config::Problems& problems) {
  const bool has_extension =
      name.ends_with(".html") || name.ends_with(".json") || name.ends_with(".journal");
  if (name.empty() || name.ends_with('/') || !config::IsPrintable(name)) {
    problems.Add(config::Escaped(name), "", "is not the name of a study, which names its files");
  } else if (has_extension) {
    const std::string stem = name.substr(0, name.rfind('.'));
    problems.Add(config::Escaped(name), "",
                 fmt::format("names a file; the first word is the name of the study    {}",
                             config::Escaped(stem)));
  }
}

// Returns the arguments with the files of the study that the user did not name.
Arguments WithFiles(Arguments arguments, config::Problems& problems) {
  const std::string name = arguments.words.front();
  CheckStudyName(name, problems);
  std::vector<std::string> files;
  if (!arguments.Has(kOutputFlag) && !arguments.Has(kFormatFlag)) {
    files = arguments.values[kOutputFlag.name] = {name + ".html", name + ".json"};
  }
  if (!arguments.Has(kJournalFlag) && !arguments.Has(kFromFilesFlag)) {
    files.push_back(name + ".journal");
    arguments.values[kJournalFlag.name] = {files.back()};
  }
  for (const std::string& file : files) {
    if (const std::string input = OverwrittenInput(arguments, file); !input.empty()) {
      problems.Add(config::Escaped(name), "",
                   fmt::format("the study would overwrite the input {}    choose another name",
                               config::Quoted(input)));
    }
  }
  return arguments;
}

// What a journal compares, in the form of a sweep: each alternative under each problem.
harness::SweepPlan JournalPlanOf(const StudyRequest& request) {
  auto cells = harness::PlanLike<harness::SweepPlan>(request.plan, request.plan.blocks);
  harness::SweepKey problems{.name = "problem", .values = {}};
  const std::size_t workloads = request.problems.size() / request.cases.size();
  for (std::size_t problem = 0; problem < request.problems.size(); ++problem) {
    problems.values.push_back(harness::NameOf(request.problems[problem]));
    for (const harness::Alternative& alternative :
         request.cases[problem / workloads].alternatives) {
      cells.cells.push_back(
          {.place = {}, .alternative = alternative, .workload = request.plan.workloads[problem]});
    }
  }
  cells.keys.push_back(std::move(problems));
  return cells;
}

// Measures the problems of each case in turn.
class StudyMeasurement {
 public:
  // Everything outlives this object. `journal`: null for none.
  StudyMeasurement(const Arguments& arguments, const StudyRequest& request, Journal* journal,
                   report::StudyResult& result)
      : arguments_(arguments),
        request_(request),
        journal_(journal),
        result_(result.comparison),
        measurement_(journal),
        line_(arguments) {
  }

  // Measures until Ctrl-C or the end of the budget.
  void Run() {
    result_.data.complete = true;
    result_.data.series.resize(request_.problems.size());
    for (auto& of_problem : result_.data.series) {
      of_problem.resize(result_.plan.alternatives.size());
    }
    for (std::size_t i = 0; i < request_.cases.size() && result_.data.complete; ++i) {
      Measure(i);
    }
    line_.Stop();
  }

  // Why the journal could not be written; null: it was.
  std::exception_ptr Unwritten() const {
    return measurement_.Unwritten();
  }

 private:
  std::size_t Workloads() const {
    return request_.problems.size() / request_.cases.size();
  }

  void Measure(std::size_t number) {
    const StudyCase& one = request_.cases[number];
    const std::size_t first = number * Workloads();
    harness::ComparisonPlan plan = result_.plan;
    plan.alternatives = one.alternatives;
    plan.workloads.assign(
        result_.plan.workloads.begin() + static_cast<std::ptrdiff_t>(first),
        result_.plan.workloads.begin() + static_cast<std::ptrdiff_t>(first + Workloads()));
    if (plan.budget) {
      const std::chrono::nanoseconds passed(platform::NowNs() - start_ns_);
      const auto left = static_cast<std::int64_t>(request_.cases.size() - number);
      plan.budget = std::max(*plan.budget - passed, std::chrono::nanoseconds(0)) / left;
    }
    Arguments disturbed = Perturbed(arguments_, one.perturbation);
    disturbed.values.erase(kStallsFlag.name);  // agents stop their own workers
    const Perturbations hogs(disturbed);
    harness::ComparisonData data = harness::Sample(plan, EventsOf(number, plan));
    Take(data, first);
    result_.data.complete = data.complete;
    result_.data.unfinished_block = data.unfinished_block;
    for (harness::DisturbedBlock& block : data.disturbed) {
      block.workload += first;
      result_.data.disturbed.push_back(std::move(block));
    }
  }

  void Take(const harness::ComparisonData& data, std::size_t first) {
    std::ranges::copy(data.series,
                      result_.data.series.begin() + static_cast<std::ptrdiff_t>(first));
  }

  harness::SamplerEvents EventsOf(std::size_t number, const harness::ComparisonPlan& plan) {
    const std::size_t first = number * Workloads();
    harness::SamplerEvents events{
        .progress =
            [this, number, &plan](std::size_t done, std::size_t of) {
              const std::size_t cases = request_.cases.size();
              if (plan.budget) {
                line_.Show([&] {
                  return report::BudgetText(
                      static_cast<double>(platform::NowNs() - start_ns_) / 1e9,
                      static_cast<double>(result_.plan.budget->count()) / 1e9);
                });
              } else {
                line_.Update(number * of + done, cases * of);
              }
            },
        .cancelled = nullptr,
        .settled =
            [this, first](const harness::ComparisonData& data, std::size_t workload) {
              Take(data, first);
              return harness::SettledAlternatives(
                  result_.plan, result_.data, first + workload,
                  {.of_all = result_.min_effect, .of_throughput = result_.throughput_floor});
            }};
    measurement_.Connect(events);
    if (journal_ != nullptr) {
      const auto of_study = [shift = first * plan.alternatives.size()](auto function) {
        return [shift, function](std::size_t cell, auto&&... rest) {
          return function(shift + cell, rest...);
        };
      };
      events.known = of_study(events.known);
      events.measured = of_study(events.measured);
    }
    return events;
  }

  const Arguments& arguments_;
  const StudyRequest& request_;
  Journal* const journal_;
  report::ComparisonResult& result_;
  JournaledMeasurement measurement_;
  ProgressLine line_;
  const std::uint64_t start_ns_ = platform::NowNs();
};

// What the doctor finds. None: interrupted.
std::optional<report::DoctorResult> Examined(const platform::MachineInfo& machine) {
  constexpr std::chrono::nanoseconds kWindow = std::chrono::seconds(1);
  const platform::MachineFiles files("");
  platform::InterruptibleEvent interrupt;
  const harness::ActivityReading before = harness::ReadActivity(files);
  report::DoctorResult result;
  if (interrupt.WaitFor(kWindow)) {
    return std::nullopt;
  }
  result.machine = machine;
  result.complete = true;
  result.facts = harness::ReadFacts(files, before);
  result.findings = harness::Judge(result.facts, registry::ThisBuild());
  harness::AddRestrictions(machine.restrictions, result.findings);
  return result;
}

ExitCode Study(const Arguments& given) {
  config::Problems problems;
  const Arguments arguments = WithFiles(given, problems);
  report::StudyResult result{.name = arguments.words.front()};
  report::ComparisonResult& comparison = result.comparison;
  comparison.machine = platform::ThisMachine();
  comparison.command = arguments.command_line;
  comparison.min_effect = arguments[kMinEffectFlag];
  const bool measures = !arguments.Has(kFromFilesFlag);
  StudyRequest request;
  if (measures) {
    request =
        StudyRequestOf(arguments, {arguments.words.begin() + 1, arguments.words.end()}, problems);
    comparison.plan = request.plan;
    result.problems = request.problems;
  } else {
    RefuseFlags(arguments, kMeasuringFlags,
                "cannot be combined with --from, which measures nothing", problems);
    if (arguments.words.size() > 1) {
      problems.Add(config::Escaped(arguments.words[1]), "",
                   "the files of --from have the alternatives");
    }
    problems.ThrowIfAny();
    const std::vector<std::string> files = arguments[kFromFilesFlag];
    ReadProblems(files, result);
    comparison.plan.metrics = MetricsOf(arguments, comparison.plan, problems);
  }
  problems.ThrowIfAny();
  const Delivery delivery = Delivery::Of<report::StudyResult>(arguments);
  std::exception_ptr unwritten;
  if (measures) {
    harness::SweepPlan cells = JournalPlanOf(request);
    const std::unique_ptr<Journal> journal =
        JournalOf(arguments, cells, comparison.machine, "study");
    comparison.plan.seed = cells.seed;
    result.doctor = Examined(comparison.machine);
    if (!result.doctor) {
      return ExitCode::kInterrupted;
    }
    StudyMeasurement measurement(arguments, request, journal.get(), result);
    measurement.Run();
    unwritten = measurement.Unwritten();
  }
  comparison.comparison = harness::Analyse(
      comparison.plan, comparison.data,
      {.of_all = comparison.min_effect, .of_throughput = comparison.throughput_floor});
  ChooseDifference(result);
  if (const auto time = arguments[kObservedForFlag]; time.count() > 0 && comparison.data.complete) {
    const platform::KeptInterrupts kept;  // a signal between two runs is one of the next run
    ObserveSides(arguments, time, [&] { delivery.Deliver(result); }, result);
  }
  delivery.Deliver(result);
  if (unwritten) {
    std::rethrow_exception(unwritten);
  }
  return comparison.data.complete ? CodeOfComparison(comparison.data) : ExitCode::kInterrupted;
}

const CommandRegistration kStudy{{
    .place = 25,
    .name = "study",
    .summary = "compare on many problems, with the proof on one page",
    .words = {"NAME [[NAME=]WHAT...]", 1, 100, Names::kAlternative,
              [](const std::vector<std::string>& words) {
                return words.empty() ? words : ConfigsOf({words.begin() + 1, words.end()});
              }},
    .flags = kStudyFlags,
    .details = kStudyDetails,
    .examples =
        R"(  schedbench study queues fast global_fifo --budget 5m
  schedbench study lifo fast fast:lifo_limit=0 -w pingpong -w yield --hog 2 --stall 5%,500us
  schedbench study peers fast --with go,tokio -w suite:peers --workers 1,2
  schedbench study again --from queues.json -o again.html
)",
    .run = &Study,
}};

}  // namespace

}  // namespace schedbench::cli

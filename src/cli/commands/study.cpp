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
#include "report/parts/progress_text.hpp"
#include "report/parts/replay.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

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

// These flags have the meaning that they have for `compare`.
constexpr auto kExtentOfStudyFlags = FlagsOf(kWithFlag, kBlocksFlag, kBudgetFlag, kRoundsOfCellFlag,
                                             kWarmupOfCellFlag, kSeedFlag, kRoundLimitFlag);
constexpr auto kMeasuringFlags = FlagsOf(kStudiedFlag, kWithFlag, kStudiedWorkersFlag, kStallsFlag,
                                         kHogsFlag, kExtentOfStudyFlags);

constexpr auto kStudyFlags = FlagsOf(kMeasuringFlags, kMinEffectFlag, kMetricFlag, kFromFilesFlag,
                                     kObservedForFlag, kJournalFlag.Usually("NAME.journal"),
                                     kOutputFlags, kOutputFlag.Usually("NAME.html and NAME.json"));

constexpr std::string_view kStudyDetails =
    R"(Compares alternatives on problems, and writes one page and one JSON file to attach to a decision. A
problem is a workload, undisturbed or under a perturbation. NAME names the study and its files:
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

--from builds the same from saved results of this machine and build; all files must have
alternatives of the same names, and the same --rounds and --warmup.
)";

std::string StudyNameComplaint(const ValueRule& /*rule*/, const std::string& name) {
  return name.empty() || name == "-" || name.ends_with('/') || !config::IsPrintable(name)
             ? fmt::format(
                   "{} is not the name of a study: its files are NAME.html and NAME.json    {}",
                   config::Quoted(name), "choose a name such as lifo or out/lifo")
             : "";
}

std::vector<std::string> ConfigsOfStudy(const std::vector<std::string>& words) {
  return words.empty() ? words : ConfigsOf({words.begin() + 1, words.end()});
}

// Returns the arguments with the files of the study that the user did not name.
Arguments WithFiles(Arguments arguments, config::Problems& problems) {
  const std::string name = arguments.words.front();
  std::vector<std::string> files;
  if (!arguments.Has(kOutputFlag) && !arguments.Has(kFormatFlag)) {
    files = {name + ".json"};
    if (report::HasChartPage()) {
      files.insert(files.begin(), name + ".html");
    }
    arguments.values[kOutputFlag.name] = files;
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
  if (problems.empty()) {
    CheckOutputs(kStudyFlags, arguments, problems);
  }
  return arguments;
}

// Measures all problems, block by block. Returns why the journal could not be written, or null.
std::exception_ptr Measure(const Arguments& arguments, const StudyRequest& request,
                           report::StudyResult& result) {
  report::ComparisonResult& comparison = result.comparison;
  const auto name_of = [](const auto& problem) { return harness::NameOf(problem); };
  const harness::SweepKey key{.name = "problem", .values = VectorOf(request.problems, name_of)};
  const std::unique_ptr<Journal> journal =
      JournalOf(arguments, {.experiment = ExperimentOf(request), .keys = {key}},
                comparison.plan.seed, comparison.machine, "study");
  harness::ExperimentPlan plan = ExperimentOf(request);
  plan.seed = comparison.plan.seed;
  Measurement measurement(arguments, journal.get());
  harness::ExperimentEvents events{
      .progress =
          [&measurement](const harness::ExperimentProgress& progress) {
            measurement.line.Show([&] { return report::CellsProgressText(progress); });
          },
      .cancelled = nullptr,
      .measure_block =
          [&](const harness::BlockPlan& block, const harness::BlockEvents& of_block) {
            // Agents stop their own workers.
            Arguments disturbed = Perturbed(arguments, request.CaseOf(block.group).perturbation);
            disturbed.values.erase(kStallsFlag.name);
            try {
              const Perturbations hogs(disturbed);
              return harness::MeasureBlock(block, of_block);
            } catch (const config::InputError& error) {
              harness::Series failed;
              failed.failure = error.what();
              failed.refused = true;
              return harness::BlockData{.series = {block.members.size(), failed}};
            }
          }};
  if (plan.budget) {
    events.settled = [&comparison](const harness::ExperimentData& data) {
      return harness::SettledAlternatives(comparison.plan, data, {.of_all = comparison.min_effect});
    };
  }
  measurement.Connect(events);
  comparison.data = harness::Measure(plan, events);
  return measurement.Stop();
}

// Returns the findings of the doctor. None: interrupted.
std::optional<report::DoctorResult> Examined(const platform::MachineInfo& machine) {
  constexpr std::chrono::nanoseconds kWindow = std::chrono::seconds(1);
  const platform::MachineFiles files("");
  platform::InterruptibleEvent interrupt;
  const harness::ActivityReading before = harness::ReadActivity(files);
  if (interrupt.WaitFor(kWindow)) {
    return std::nullopt;
  }
  report::DoctorResult result;
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
    RefuseFlags(arguments, FlagsOf(kMeasuringFlags, kJournalFlag),
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
  if (!report::HasChartPage() && !given.Has(kOutputFlag) && !given.Has(kFormatFlag) &&
      !arguments[kQuietFlag]) {
    Say(fmt::format("{}.html: not written, this schedbench was built without pages    make build\n",
                    config::Escaped(result.name)));
  }
  std::exception_ptr unwritten;
  if (measures) {
    result.doctor = Examined(comparison.machine);
    if (!result.doctor) {
      return ExitCode::kInterrupted;
    }
    unwritten = Measure(arguments, request, result);
  }
  comparison.comparison = harness::Analyse(
      comparison.plan, comparison.data,
      {.of_all = comparison.min_effect, .of_throughput = comparison.throughput_floor});
  ChooseDifference(result);
  if (result.largest && measures) {
    const auto& [workload, perturbation] = result.problems[result.largest->workload];
    std::vector<std::string> compare = arguments.words;
    compare[0] = "compare";
    compare.insert(compare.begin(), "schedbench");
    compare.insert(compare.end(), {"--workload", workload});
    for (const Flag& flag : FlagsOf(kExtentOfStudyFlags, kMinEffectFlag, kMetricFlag)) {
      if (arguments.Has(flag)) {
        for (const std::string& value : arguments.Values(flag)) {
          compare.insert(compare.end(), {std::string(flag.name), value});
        }
      }
    }
    result.again.push_back(
        {"the comparison on its workload", report::ReplayCommand(compare, comparison.plan.seed) +
                                               (perturbation.empty() ? "" : " " + perturbation)});
  }
  if (const auto time = arguments[kObservedForFlag]; time.count() > 0 && comparison.data.complete) {
    const platform::KeptInterrupts kept;  // a signal between two runs belongs to the next run
    ObserveSides(arguments, time, [&] { delivery.Deliver(result); }, result);
  }
  delivery.Deliver(result, unwritten);
  RequireABlock(arguments, comparison.plan, comparison.data);
  return comparison.data.complete || !measures ? CodeOfComparison(comparison.data)
                                               : ExitCode::kInterrupted;
}

const CommandRegistration kStudy{{
    .place = 25,
    .name = "study",
    .summary = "compare on many problems, with the proof on one page",
    .words = {"NAME [[NAME=]WHAT...]",
              1,
              100,
              Names::kAlternative,
              &ConfigsOfStudy,
              {.complaint = &StudyNameComplaint}},
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

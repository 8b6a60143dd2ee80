#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/tuning.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/journal.hpp"
#include "cli/results/measure_cells.hpp"
#include "config/settings_json.hpp"
#include "platform/files/file.hpp"
#include "platform/threads/thread.hpp"
#include "report/document/table.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/progress_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kSaveConfigFlag =
    TextFlag{"--save-config", "", "FILE",
             "Write the config of the answer, with its evidence, for run --config"}
        .Writes();

constexpr auto kTuneFlags =
    FlagsOf(kSearchedFlag,
            kOverFlag.Taking("FIELD[=LIST]|all")
                .Described("A field of the config to vary, with values, or with some around its "
                           "own; all: every field that has an effect")
                .Completed(Names::kTunedField),
            kObjectiveFlag, kHoldOutFlag, kCandidatesFlag, kExtentFlags, kListOnlyFlag,
            kJournalFlag, kSaveConfigFlag, kPerturbationFlags, kOutputFlags);

constexpr std::string_view kTuneDetails =
    R"(Searches for settings that are better than those of WHAT, a scheduler or a config (default: fast):
the default of the search. "No setting is better than the default" is an answer, with exit code 0.
Without an answer, because blocks are too few or the default has no value, the code is 2.

Each --over is a field of the config, with values (lifo_limit=0,1,3,10 or 1..64*2) or without: then
values around that of the default are tried, and all choices of a field with names. --over all takes
every field. The default's own value always takes part. If there are at most --candidates
combinations, all of them are measured, otherwise a sample in which each value is about as frequent
as the others: a Latin hypercube, drawn by --seed; without it, it is always the same. A field
without effect keeps the default's value; a combination that the config forbids is left out.

Search: successive halving. Each step measures all candidates that are left, and the default, in
fresh processes in random order, and keeps the better third with three times the blocks. Candidates
are ranked by their ratio to the default: the geometric mean over the workloads, the median over the
blocks. Several objectives are ranked by Pareto front. A candidate that crashes, hangs or gives a
wrong answer is dropped and reported; the exit code is then 4.

Comparison: the winner (of several objectives up to 3 of the front), the default and the runner-up
are measured again, side by side on fresh data, under the searched workloads and under those of
--hold-out, which the search did not measure. All intervals hold at once with 95 %. A setting is
better if an objective is proven better than the default by more than --min-effect and nothing is
proven worse. If a single workload is proven worse, the answer names it as a condition.

  throughput  operations in a time
  p99         a 99th percentile that the workload reports itself, otherwise wakeup_p99
  cpu         CPU time of an operation
  memory      the largest memory of the process

The importance of a field is its share of the differences between the candidates of the first step,
with the noise subtracted.

After 60 % of the time of --budget no block of the search begins, and after all of it none at all.

--save-config writes the config of the answer, the default's if no setting is better, unless there
is no answer.
)";

// Returns what a journal compares: all candidates under all workloads.
JournaledPlan JournaledPlanOf(const harness::TunePlan& plan) {
  JournaledPlan journaled{
      .experiment = harness::PlanLike<harness::ExperimentPlan>(plan, plan.blocks),
      .keys = {},
      .perturbed = plan.perturbed};
  for (const harness::TuneField& field : plan.fields) {
    journaled.keys.push_back({.name = field.path, .values = field.values});
  }
  std::vector<std::size_t> candidates(plan.candidates.size());
  std::iota(candidates.begin(), candidates.end(), std::size_t{0});
  harness::SweepKey workloads{.name = "--workload", .values = {}};
  for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload) {
    workloads.values.push_back(plan.workloads[workload].name);
    journaled.experiment.groups.push_back(harness::GroupOf(plan, candidates, workload));
  }
  harness::SweepKey objectives{.name = std::string(kObjectiveFlag.name), .values = {}};
  for (const harness::Objective objective : plan.objectives) {
    objectives.values.emplace_back(harness::ToText(objective));
  }
  journaled.keys.push_back(std::move(workloads));
  journaled.keys.push_back(std::move(objectives));
  journaled.keys.push_back({.name = "searched", .values = {std::to_string(plan.searched)}});
  return journaled;
}

void PrintCandidates(const harness::TunePlan& plan) {
  using harness::TuneCandidate;
  report::TableOf<TuneCandidate> table;
  for (std::size_t field = 0; field < plan.fields.size(); ++field) {
    table.Add({plan.fields[field].path, report::kRight}, [&, field](const TuneCandidate& one) {
      return plan.fields[field].values[one.place[field]];
    });
  }
  table.Add({""},
            [](const TuneCandidate& one) { return one.changes.empty() ? "the default" : ""; });
  std::string text = report::TableText(std::move(table).Rows(plan.candidates), StdoutStyle());
  std::size_t processes = 0;
  std::uint32_t before = 0;
  for (const harness::PlannedRung& rung : harness::PlannedRungs(plan)) {
    text += fmt::format("search: {} and the default in {}\n",
                        report::Plural(rung.candidates, "candidate"),
                        report::Plural(rung.blocks, "block"));
    processes += (rung.candidates + 1) * (rung.blocks - before) * plan.searched;
    before = rung.blocks;
  }
  const std::size_t finalists =
      std::min(plan.candidates.size(), plan.objectives.size() > 1 ? harness::kMostWinners + 2 : 3);
  processes += finalists * plan.blocks * plan.workloads.size();
  const ProcessEstimate estimate = EstimateProcess(JournaledPlanOf(plan).experiment);
  const std::string time =
      estimate.cells == 0
          ? "; the candidates that were tried gave no result"
          : fmt::format(", about {} by one round of {} of them",
                        report::TimeText(estimate.seconds * static_cast<double>(processes)),
                        estimate.tried);
  Print(fmt::format(
      "{}comparison: at most {} in {} under {}\nat most {} processes of {} and {} warm-up{}\n",
      text, report::Plural(finalists, "candidate"), report::Plural(plan.blocks, "block"),
      report::Plural(plan.workloads.size(), "workload"), processes,
      report::Plural(plan.rounds, "round"), plan.warmup, time));
}

std::string TuneProgressText(const harness::TuneProgress& progress) {
  return (progress.rung ? fmt::format("search {} of {}  ", *progress.rung + 1, progress.rungs)
                        : "comparison  ") +
         report::CellsProgressText(progress.of_step);
}

// A candidate that the machine refuses is not a failure, because the tool has chosen its values.
ExitCode CodeOf(const harness::TuneData& data) {
  const auto worst = [](const std::vector<harness::TuneSeries>& all) {
    ExitCode code = ExitCode::kDone;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const harness::Series& series : all[i]) {
        const ExitCode one = CodeOfSeries(series);
        const bool is_harmless = one == ExitCode::kInput && i != harness::kDefaultCandidate;
        code = is_harmless ? code : std::max(code, one);
      }
    }
    return code;
  };
  const ExitCode code = worst(data.search);
  return code == ExitCode::kDone ? worst(data.comparison) : code;
}

// Checks the file before the measurement, not after an hour of it.
void CheckSavedConfig(const Arguments& arguments) {
  const auto file = arguments[kSaveConfigFlag];
  if (file == "-") {
    RefuseInput("{}   the result goes to stdout; name a file", PlaceOf(kSaveConfigFlag, *file));
  }
  if (file) {
    platform::CheckWritable(*file);
  }
}

// Returns a config file with the settings that differ from the scheduler's defaults, and the
// evidence as a note ("x-evidence"). Leaves out a number of workers that is that of this machine's
// CPUs, unless the candidate differs by it.
std::string TunedConfigText(const harness::TuneCandidate& candidate,
                            const report::TuneResult& result) {
  using nlohmann::ordered_json;
  const harness::Alternative& tuned = candidate.alternative;
  config::Problems none;
  const config::Schema& schema = registry::FindScheduler(tuned.scheduler)->schema();
  const auto settings = config::SettingsFromJson(schema, tuned.config, tuned.name, none);
  const bool keeps_workers = std::ranges::any_of(
      candidate.changes, [](const std::string& change) { return change.starts_with("workers="); });
  const ordered_json all = config::ToJson(settings);
  const config::Settings defaults(schema);
  ordered_json file{{"scheduler", tuned.scheduler}};
  config::ForEachLeaf(settings, [&](const std::string& path, const config::Value& value) {
    const bool is_usual = path == "workers" && !keeps_workers &&
                          value == config::Value(std::uint64_t{platform::AvailableCpus()});
    if (value == defaults.Get(path) || is_usual) {
      return;
    }
    std::string pointer = "/" + path;
    std::ranges::replace(pointer, '.', '/');
    const ordered_json::json_pointer place(pointer);
    file[place] = all.at(place);
  });
  file["x-evidence"] = report::TuneEvidence(result);
  return file.dump(2) + "\n";
}

// Writes the config of the answer, if there is one.
void SaveConfig(const Arguments& arguments, report::TuneResult& result) {
  const auto file = arguments[kSaveConfigFlag];
  if (!file) {
    return;
  }
  const bool has_answer =
      result.data.complete && result.decision.answer != harness::TuneAnswer::kUnknown;
  if (!has_answer) {
    Say(fmt::format("{}: not written, because there is no answer\n", config::Escaped(*file, 4096)));
    return;
  }
  const harness::TuneCandidate& candidate =
      result.plan.candidates[result.decision.best
                                 ? harness::FinalistsOf(result.data)[*result.decision.best]
                                 : harness::kDefaultCandidate];
  platform::WriteFileWhole(*file, TunedConfigText(candidate, result));
  result.saved_config = *file;
}

ExitCode Tune(const Arguments& arguments) {
  report::TuneResult result;
  result.plan = TunePlanOf(arguments);
  if (arguments[kListOnlyFlag]) {
    PrintCandidates(result.plan);
    return ExitCode::kDone;
  }
  const Delivery delivery = Delivery::Of<report::TuneResult>(arguments);
  CheckSavedConfig(arguments);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  const Perturbations perturbations(arguments);
  result.plan.perturbed = perturbations.Text();
  const std::unique_ptr<Journal> journal =
      JournalOf(arguments, JournaledPlanOf(result.plan), result.plan.seed, result.machine, "tune");
  for (harness::TuneCandidate& candidate : result.plan.candidates) {
    candidate.command.front() = result.command.front();  // only a user's own program has all of it
  }
  Measurement measurement(arguments, journal.get());
  harness::TuneEvents events{
      .progress =
          [&measurement](const harness::TuneProgress& progress) {
            measurement.line.Show([&] { return TuneProgressText(progress); });
          },
      .cancelled = nullptr};
  measurement.Connect(events);
  result.data = harness::SampleTune(result.plan, events);
  std::exception_ptr unwritten = measurement.Stop();
  result.decision = harness::Decide(result.plan, result.data);
  result.importance = harness::ImportanceOf(result.plan, result.data);
  try {
    SaveConfig(arguments, result);
  } catch (const platform::WriteError&) {
    unwritten = std::current_exception();
  }
  delivery.Deliver(result, unwritten);
  if (!result.data.complete) {
    return ExitCode::kInterrupted;
  }
  const ExitCode code = CodeOf(result.data);
  // Without an answer a script has nothing to use.
  const bool has_answer = result.decision.answer != harness::TuneAnswer::kUnknown;
  return code == ExitCode::kDone && !has_answer ? ExitCode::kInput : code;
}

const CommandRegistration kTune{{
    .place = 60,
    .name = "tune",
    .summary = "find settings that are proven better than the default",
    .words = kAlternative,
    .flags = kTuneFlags,
    .details = kTuneDetails,
    .examples =
        R"(  schedbench tune --over lifo_limit --over steal_batch
  schedbench tune fast -w pingpong -w spawn_join --over all --budget 10m --save-config tuned.json
  schedbench tune fast -w open_loop --over max_searching=0..4 --objective p99 --objective cpu
  schedbench tune mine.json -w yield --over lifo_limit=0..10 --journal yield.journal -o tune.html
)",
    .run = &Tune,
}};

}  // namespace

}  // namespace schedbench::cli

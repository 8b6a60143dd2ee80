#include "harness/whatif/whatif.hpp"

#include "base/text.hpp"
#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/recorded_config.hpp"
#include "cli/flags/value_list.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/completed_run.hpp"
#include "config/assignment.hpp"
#include "config/settings.hpp"
#include "graph/analysis.hpp"
#include "graph/graph_file.hpp"
#include "harness/whatif/simulator.hpp"
#include "platform/files/memory_file.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/time/clock.hpp"
#include "report/parts/plan_text.hpp"
#include "report/whatif/whatif_report.hpp"
#include "simulation/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kWorkersOfWhatIfFlag =
    kWorkerCountsFlag.Described("Numbers of workers: 1,2,8 or 1..1024, which doubles")
        .Default("1..64");
constexpr auto kLeversAtFlag =
    NumberFlag{"--at", "", "N",
               "Workers for the question which change pays most (default: the most)"}
        .Checked(WholeNumber(1, sim_scaling::kMaxWorkers));

constexpr auto kWhatIfFlags =
    FlagsOf(kWorkersOfWhatIfFlag, kConfigFlag, kSetFlag,
            kOverFlag.Taking("FIELD=LIST")
                .Described("Also predict other values of a field of the config of fast")
                .Completed(Names::kField),
            kLeversAtFlag, kOpenFlag, kSeedFlag, kOutputFlags);

constexpr std::string_view kWhatIfDetails =
    R"(Predicts how long a task graph of schedbench record would take with other numbers of workers, also
with more than this machine has CPUs, and with other settings of fast than the recorded ones. The
scheduler that ships runs on a simulated machine, on which each operation takes the time that was
measured here before (src/simulation/README.md). No prediction uses a measurement of the same number
of workers, except that of one worker, which fits the cost of a step.

Predictions for as many workers as this machine has CPUs are compared with replays on it. The
largest difference is the error of the model, and all ranges contain it. All other predictions are
marked extrapolated: they assume equal cores, of the kind and with the distances of these CPUs.

The report also has
  work, span, parallelism and the critical path of the graph
  ready p99: how long a task that can run waits for a worker, 99th percentile
  which change of the scheduler pays most: the makespan if switches, spawns, wake-ups of parked
  workers, moves of cache lines (steals) or atomic operations (locks) took half as long

The program schedbench-simulator must be built: make simulator. schedbench looks for it in its own
folder; SCHEDBENCH_SIMULATOR gives another path.
)";

// Returns ascending numbers. A range of many values doubles.
std::vector<unsigned> WorkersOf(const std::string& text, config::Problems& problems) {
  constexpr std::size_t kMany = 16;
  const std::string where = PlaceOf(kWorkerCountsFlag, text);
  std::vector<unsigned> workers;
  for (const std::string& value : ParseValueList(text, where, problems)) {
    const auto number = schedbench::WholeNumber(value);
    if (!number || *number == 0 || *number > sim_scaling::kMaxWorkers) {
      Reject(problems, where, "{} is not a whole number from 1 to {}", config::Quoted(value),
             sim_scaling::kMaxWorkers);
      return {};
    }
    workers.push_back(static_cast<unsigned>(*number));
  }
  std::ranges::sort(workers);
  workers.erase(std::ranges::unique(workers).begin(), workers.end());
  if (workers.size() > kMany) {
    std::vector<unsigned> doubled;
    for (const unsigned number : workers) {
      if (doubled.empty() || number >= 2 * doubled.back() || number == workers.back()) {
        doubled.push_back(number);
      }
    }
    workers = std::move(doubled);
  }
  return workers;
}

// Refuses settings that the simulation does not model.
void RequireSimulated(const config::Settings& settings, config::Problems& problems) {
  for (const char* const path : {"preempt", "netpoll", "blocking"}) {
    const config::FieldInfo& field = *settings.GetSchema().FindLeaf(path)->field;
    if (settings.Get(path) != field.default_value) {
      problems.Add(
          settings.OriginOf(path).where, settings.OriginOf(path).path,
          fmt::format("{}={} is not simulated, only {}", path, config::ToText(settings.Get(path)),
                      config::ToText(field.default_value)));
    }
  }
}

// Returns all combinations of the values of --over, each once.
std::vector<config::Settings> CombinationsOf(const Arguments& arguments,
                                             const config::Settings& base,
                                             config::Problems& problems) {
  constexpr std::size_t kMost = 64;
  std::vector<config::Settings> all{base};
  std::set<std::string> seen;
  for (const std::string& over : arguments[kOverFlag]) {
    const std::string where = PlaceOf(kOverFlag, over);
    const std::size_t equals = over.find('=');
    const std::string field = over.substr(0, equals);
    const std::string_view error = equals == std::string::npos
                                       ? "expected FIELD=LIST, such as lifo_limit=0,3"
                                   : field == "workers"   ? "--workers sets the workers"
                                   : seen.contains(field) ? "the field is given twice"
                                                          : "";
    if (!error.empty()) {
      Reject(problems, where, "{}", error);
      continue;
    }
    const auto values = ParseValueList(over.substr(equals + 1), where, problems);
    if (values.empty()) {
      continue;
    }
    seen.insert(field);
    std::vector<config::Settings> next;
    for (const config::Settings& one : all) {
      for (const std::string& value : values) {
        config::Settings changed = one;
        config::Assign(changed, field, value, {where, ""}, problems);
        next.push_back(std::move(changed));
      }
    }
    all = std::move(next);
    if (all.size() > kMost) {
      Reject(problems, where, "{} combinations are more than {}", all.size(), kMost);
      break;
    }
  }
  std::vector<config::Settings> different;
  for (const config::Settings& one : all) {
    config::CheckRules(one, problems);
    RequireSimulated(one, problems);
    if (std::ranges::find(different, one) == different.end()) {
      different.push_back(one);
    }
  }
  return different;
}

std::string SimulatorProgram() {
  if (const char* const named = std::getenv("SCHEDBENCH_SIMULATOR"); named != nullptr) {
    return named;
  }
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() /
                       "schedbench-simulator";
  if (!std::filesystem::exists(program, ignored)) {
    RefuseInput("there is no program {}    make simulator; SCHEDBENCH_SIMULATOR gives another path",
                config::Escaped(program.string(), 4096));
  }
  return program.string();
}

harness::TimeRange MakespanOf(const harness::RunResult& result) {
  return harness::TimeRange::Of(VectorOf(
      result.rounds, [](const auto& round) { return static_cast<double>(round.wall_ns); }));
}

// Replays the graph on this machine. Returns none if it has fewer CPUs.
std::optional<harness::MeasuredCell> Replayed(const harness::WhatIfPlan& of, unsigned workers,
                                              config::Settings settings) {
  constexpr std::chrono::milliseconds kTurn{60};  // longer than most disturbances
  constexpr std::uint32_t kLeastRounds = 3;       // arbitrary
  if (workers > of.check_workers) {
    return std::nullopt;
  }
  settings.Set("workers", config::Value(std::uint64_t{workers}), {});
  harness::RunPlan plan{.scheduler = registry::FindScheduler("fast"),
                        .config = std::move(settings),
                        .workload = registry::FindWorkload("replay"),
                        .parameters = ReplayParameters(of.graph, of.is_open),
                        .rounds = kLeastRounds,
                        .warmup = 3,
                        .seed = of.seed,
                        .timeout = std::chrono::seconds(60)};
  harness::RunResult result = CompletedRun(plan);
  plan.rounds = harness::RoundsIn(kTurn, MakespanOf(result).median, kLeastRounds);
  if (plan.rounds > kLeastRounds) {
    result = CompletedRun(plan);
  }
  harness::MeasuredCell measured{.makespan = MakespanOf(result)};
  if (const auto p99 = result.wakeup_ticks.QuantileWithInterval(0.99)) {
    const double ns = platform::TickClock::NsPerTick();
    measured.ready_p99 = {.median = p99->value * ns, .low = p99->low * ns, .high = p99->high * ns};
  }
  return measured;
}

ExitCode WhatIf(const Arguments& arguments) {
  report::WhatIfReport report;
  report.file = arguments.words.front();
  report.command = arguments.command_line;
  config::Problems problems;
  report.graph = GraphOfCommand(report.file);
  // Use the recorded config if it is for fast.
  const auto recorded = report.graph.Fact("scheduler") == "fast"
                            ? RecordedConfig(report.graph, report.file, problems)
                            : std::nullopt;
  const auto base = ChooseScheduler(arguments, problems, recorded ? &*recorded : nullptr, false);
  if (base && base->entry->name != "fast") {
    Reject(problems, kConfigFlag, "only fast is simulated, not {}", base->entry->name);
  }
  for (const std::string& set : arguments[kSetFlag]) {
    if (set.starts_with("workers=")) {
      Reject(problems, PlaceOf(kSetFlag, set), "--workers sets the workers");
    }
  }
  harness::WhatIfPlan plan;
  plan.workers = WorkersOf(arguments[kWorkersOfWhatIfFlag], problems);
  problems.ThrowIfAny();
  const std::vector<config::Settings> settings =
      CombinationsOf(arguments, base->settings, problems);
  problems.ThrowIfAny();
  report.analysis = graph::Analyse(report.graph);
  const Delivery delivery = Delivery::Of<report::WhatIfReport>(arguments);
  const std::string program = SimulatorProgram();
  const platform::MemoryFile file(graph::Encode(report.graph));
  plan.graph = file.Path();
  plan.is_open = arguments[kOpenFlag];
  plan.seed = SeedFromFlags(arguments);
  plan.lever_workers =
      static_cast<unsigned>(arguments[kLeversAtFlag].value_or(plan.workers.back()));
  for (const config::Settings& one : settings) {
    plan.schedulers.push_back(config::SpecText("fast", config::ChangedFields(one, "workers")));
  }
  report.machine = platform::ThisMachine();
  plan.check_workers = report.machine.cpus_allowed;
  // Only the simulator uses this event: a replay has its own.
  bool is_interrupted = false;
  std::optional<platform::InterruptibleEvent> interrupt;
  const auto cancelled = [&] {
    is_interrupted = is_interrupted || interrupt->HasCome();
    return is_interrupted;
  };
  const auto waiting = [&](const auto& ask) {
    interrupt.emplace();
    const auto answer = ask();
    interrupt.reset();
    return answer;
  };
  const platform::KeptInterrupts kept;  // a signal between two waits belongs to the next wait
  ProgressLine line(arguments);
  try {
    harness::Simulator simulator(program, cancelled);
    waiting([&] {
      simulator.CheckRevision();
      return true;
    });
    report.result = harness::PredictWhatIf(
        plan, {.calibrate = [&] { return waiting([&] { return simulator.Calibrate(); }); },
               .simulate =
                   [&](const sim_scaling::Costs& costs, const sim_scaling::GraphRun& run) {
                     return waiting([&] { return simulator.Simulate(costs, run); });
                   },
               .measure =
                   [&](unsigned workers, const std::string& scheduler) {
                     const auto place = std::ranges::find(plan.schedulers, scheduler);
                     return Replayed(
                         plan, workers,
                         settings[static_cast<std::size_t>(place - plan.schedulers.begin())]);
                   },
               .progress = [&](const std::string& what) { line.ShowStep(what); }});
  } catch (const UnfinishedRun& run) {
    line.Stop();
    const auto workers = std::get<std::uint64_t>(run.outcome.result.plan.config.Get("workers"));
    DeliverOutcome(  // ends the process
        run.outcome, [] {},
        fmt::format("a replay with {} did not finish: there is no prediction",
                    report::Plural(workers, "worker")));
  } catch (const harness::SimulatorError& error) {
    line.Stop();
    if (is_interrupted) {
      Say("interrupted\nthere is no prediction\n");
      return ExitCode::kInterrupted;
    }
    throw config::InputError(error.what());
  }
  line.Stop();
  delivery.Deliver(report);
  return ExitCode::kDone;
}

const CommandRegistration kWhatIf{{
    .place = 180,
    .name = "whatif",
    .summary = "predict a task graph with other workers, settings and costs",
    .words = {"GRAPH", 1, 1, Names::kFile, &AllWords},
    .flags = kWhatIfFlags,
    .details = kWhatIfDetails,
    .examples =
        R"(  schedbench whatif skynet.graph
  schedbench whatif skynet.graph --workers 1..1024 --over lifo_limit=0,3
  schedbench whatif service.graph --open --workers 2,16,64 --at 16 -o whatif.json
)",
    .run = &WhatIf,
}};

}  // namespace

}  // namespace schedbench::cli

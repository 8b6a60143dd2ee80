#include "cli/command.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/completed_run.hpp"
#include "cli/results/fit_replay.hpp"
#include "config/settings_json.hpp"
#include "graph/analysis.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/import.hpp"
#include "platform/files/file.hpp"
#include "platform/process/interrupt.hpp"
#include "registry/build_info.hpp"
#include "report/graph/sections.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace schedbench::cli {

namespace {

// Number without recording; arbitrary: enough for a first estimate.
constexpr std::uint32_t kMeasuredRounds = 9;

constexpr auto kEventsOfGraphFlag = kEventsFlag.Default("1048576");
constexpr auto kImportFlag =
    TextFlag{"--import", "", "TRACE",
             "Make the graph of a trace instead: of a Go program, or in Chrome's JSON format"}
        .Reads();

constexpr auto kRecordFlags = FlagsOf(
    kPlanFlags,
    kRoundsFlag.Described("Rounds of the program and of a replay, in each turn of their comparison")
        .Usually("for 40 ms"),
    kEventsOfGraphFlag, kImportFlag,
    kFileFlag.Described("File for the task graph").Usually("print only what is in it").Writes(),
    kQuietFlag);

constexpr std::string_view kRecordDetails =
    R"(Records five rounds of a workload, and writes what its tasks did as a task graph: which task spawned
which, how long each computed, what it waited for and which task ended the wait. It is the round
with the least work; if the tasks did the same in at least three rounds, its lengths are medians.

  schedbench replay FILE     does the same again on any scheduler
  -w replay:graph=FILE       the same as a workload of run, compare, sweep and the others

The graph has the dependences of this run. Which of two fibers got a mutex first is one of them, and
stays as it was. Replays follow: they show what the scheduler and the recorder add to each step, so
that a replay does not pay it twice. They are compared with the program in turns, without recording;
the line "makespan" has the result. That takes some seconds, and minutes if a round takes longer
than 0.1 s. --rounds 2 is faster and less exact if rounds are short.

An event takes 16 bytes and about 10 ns. If a worker has more than --events, the oldest are lost and
counted, and the graph lacks the beginning of the run.

A program of your own records with graph::Recorder (src/graph/README.md).

--import makes the graph of a trace of another program:
  Go       what runtime/trace writes, in the formats since Go 1.11: go test -trace FILE
  JSON     Chrome's Trace Event Format, which Perfetto reads too: a slice is a run of a task, a flow
           between two slices starts or wakes the task of the second. Slices with the same args.task
           are runs of one task. What was left out is counted on stderr.
)";

void AddFacts(const harness::RunPlan& plan, const platform::MachineInfo& machine,
              graph::TaskGraph& graph) {
  graph.facts.emplace_back("version", registry::ThisBuild().version);
  graph.facts.emplace_back("scheduler", plan.scheduler->name);
  graph.facts.emplace_back("config", config::ToJson(plan.config).dump());
  graph.facts.emplace_back("workload", plan.workload->name);
  graph.facts.emplace_back("parameters", config::ToJson(plan.parameters).dump());
  graph.facts.emplace_back("seed", std::to_string(plan.seed));
  graph.facts.emplace_back("machine", machine.cpu_model);
}

void Deliver(const graph::TaskGraph& graph, const std::optional<std::string>& path) {
  if (path) {
    platform::WriteFileWhole(*path, graph::Encode(graph));
  }
  const report::TerminalStyle style = StdoutStyle();
  Print(report::TerminalText(
      {.title = "", .sections = report::GraphSections(graph, graph::Analyse(graph), style)},
      style));
}

// Returns the graph of a run whose rounds were measured. Throws UnfinishedRun.
graph::TaskGraph FittedGraph(const FitPlan& plan, const harness::RunResult& measured) {
  graph::TaskGraph graph = RecordedGraph(plan);
  AddFacts(plan.program, measured.machine, graph);
  FitReplay(plan, measured, graph);
  return graph;
}

ExitCode Import(const Arguments& arguments) {
  config::Problems problems;
  RefuseFlags(arguments, FlagsOf(kPlanFlags, kEventsOfGraphFlag),
              "has no effect with --import, which runs nothing", problems);
  problems.ThrowIfAny();
  try {
    const graph::TaskGraph graph = graph::ReadAnyGraph(*arguments[kImportFlag]);
    Deliver(graph, arguments[kFileFlag]);
    if (const std::string_view left_out = graph.Fact(graph::kLeftOutFact); !left_out.empty()) {
      Say(fmt::format("note: left out: {}\n", left_out));
    }
  } catch (const graph::FormatError& error) {
    throw config::InputError(error.what());
  }
  return ExitCode::kDone;
}

ExitCode Record(const Arguments& arguments) {
  if (arguments.Has(kImportFlag)) {
    return Import(arguments);
  }
  harness::RunPlan plan = PlanFromFlags(arguments);
  config::Problems problems;
  CheckRecordsEvents(plan, problems);
  problems.ThrowIfAny();
  plan.rounds = kMeasuredRounds;
  const auto path = arguments[kFileFlag];
  if (path) {
    platform::CheckWritable(*path);
  }
  const platform::KeptInterrupts kept;
  ProgressLine line(arguments);
  harness::Outcome outcome = MeasureRounds(plan, line.Updates());
  outcome.result.command = arguments.command_line;
  if (outcome.ending != harness::Ending::kComplete) {
    line.Stop();
    DeliverOutcome(outcome, [] {});  // ends the process
  }
  const auto show = [&line](const std::string& step) { line.ShowStep(step); };
  try {
    const graph::TaskGraph graph =
        FittedGraph({.program = plan,
                     .options = {.events = arguments[kEventsOfGraphFlag], .warms_recorder = true},
                     .rounds = arguments[kRoundsFlag],
                     .progress = show},
                    outcome.result);
    line.Stop();
    Deliver(graph, path);
  } catch (const UnfinishedRun& run) {
    line.Stop();
    DeliverOutcome(run.outcome, [] {}, "no graph was written");
  }
  return ExitCode::kDone;
}

const CommandRegistration kRecord{{
    .place = 160,
    .name = "record",
    .summary = "write the task graph of a run",
    .flags = kRecordFlags,
    .details = kRecordDetails,
    .examples =
        R"(  schedbench record --config fast.json -w skynet:leaves=1000 -o skynet.graph
  schedbench record --config fast.json --workers 1 -w pingpong:pairs=8,rounds=500 -o pingpong.graph
  schedbench record --import trace.out -o service.graph
)",
    .run = &Record,
}};

}  // namespace

}  // namespace schedbench::cli

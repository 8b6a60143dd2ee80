#include "cli/command.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/recorded_config.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/completed_run.hpp"
#include "graph/analysis.hpp"
#include "graph/graph_file.hpp"
#include "platform/files/input_file.hpp"
#include "platform/files/memory_file.hpp"
#include "platform/files/terminal.hpp"
#include "report/graph/sections.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace schedbench::cli {

namespace {

constexpr auto kWorkFlag =
    NumberFlag{"--work", "", "PERCENT", "Length of the computations; 0: only the scheduler works"}
        .Checked(WholeNumber(0, 100'000))
        .Default("100");

constexpr auto kReplayFlags = FlagsOf(kSchedulerFlags, kOpenFlag, kWorkFlag, kRoundsFlag,
                                      kWarmupFlag, kSeedFlag, kTimeoutFlag, kOutputOfRoundsFlags);

constexpr std::string_view kReplayDetails =
    R"(Runs a task graph of schedbench record again, and measures it as schedbench run does. A task
computes as long as the recorded one, and spawns, wakes, waits and yields in the same order. It
continues after a wait when the recorded waker has come to its wake, however the scheduler orders
the two. Without flags the scheduler, its config and the number of workers are the recorded ones.
Another --scheduler has the recorded number of workers, unless --workers or a config sets it.

Closed loop, the default: what was spawned from outside is spawned at once, and a wait that a timer,
the network or another thread ended takes as long as it did. --open: both happen at the recorded
times.

The structure is that of the graph, whose hash is printed. Each round checks that every task was
done once; a wrong one ends with exit code 4. makespan_to_recorded compares the makespan with that
of the program.

The same is the workload replay:graph=FILE of run, compare, sweep, profile and trace.
)";

// `file`: the file that the workload reads.
harness::RunPlan ReplayPlanOf(const Arguments& arguments, const graph::TaskGraph& graph,
                              const std::string& file) {
  config::Problems problems;
  const auto recorded = RecordedConfig(graph, arguments.words.front(), problems);
  auto scheduler = ChooseScheduler(arguments, problems, recorded ? &*recorded : nullptr);
  // Another scheduler also gets the recorded number of workers, unless a flag or a config sets it.
  if (scheduler && graph.workers > 0 && scheduler->entry->schema().FindLeaf("workers") != nullptr &&
      scheduler->settings.OriginOf("workers") == config::Origin{}) {
    scheduler->settings.Set("workers", config::Value(std::uint64_t{std::min(graph.workers, 1024U)}),
                            {});
  }
  const registry::WorkloadEntry* const workload = registry::FindWorkload("replay");
  const config::Leaf* const name = workload->schema().FindLeaf("graph");
  if (!name->field->Admits(config::Value(file))) {
    problems.Add(file, "", "the name of the file is not " + name->field->Allowed());
  }
  problems.ThrowIfAny();
  config::Settings parameters = ReplayParameters(file, arguments[kOpenFlag]);
  parameters.Set("work_percent", config::Value(arguments[kWorkFlag]), {});
  return PlanOf(arguments, std::move(*scheduler), {workload, std::move(parameters)});
}

ExitCode Replay(const Arguments& arguments) {
  const graph::TaskGraph graph = GraphOfCommand(arguments.words.front());
  // The workload cannot read stdin a second time.
  std::optional<platform::MemoryFile> copy;
  if (arguments.words.front() == platform::kStdinName) {
    copy.emplace(graph::Encode(graph));
  }
  const harness::RunPlan plan =
      ReplayPlanOf(arguments, graph, copy ? copy->Path() : arguments.words.front());
  const Delivery delivery = Delivery::Of<harness::RunResult>(arguments);
  if (!arguments[kQuietFlag]) {
    const report::TerminalStyle style{.unicode = platform::TakesUtf8()};
    Say(report::TerminalText(
            {.title = "", .sections = report::GraphSections(graph, graph::Analyse(graph), style)},
            style) +
        "\n");
  }
  ProgressLine line(arguments);
  harness::Outcome outcome = MeasureRounds(plan, line.Updates());
  line.Stop();
  outcome.result.command = arguments.command_line;
  DeliverOutcome(outcome, [&] { delivery.Deliver(outcome.result); });
  return ExitCode::kDone;
}

const CommandRegistration kReplay{{
    .place = 170,
    .name = "replay",
    .summary = "run a task graph again, on any scheduler",
    .words = {"GRAPH", 1, 1, Names::kFile, &AllWords},
    .flags = kReplayFlags,
    .details = kReplayDetails,
    .examples =
        R"(  schedbench replay skynet.graph
  schedbench replay skynet.graph --scheduler global_fifo --workers 4
  schedbench replay service.graph --open --config gmp.json -o replay.json
  schedbench compare fast work_stealing -w replay:graph=skynet.graph
)",
    .run = &Replay,
}};

}  // namespace

}  // namespace schedbench::cli

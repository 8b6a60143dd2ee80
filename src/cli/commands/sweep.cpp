#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/metrics.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/places.hpp"
#include "cli/results/journal.hpp"
#include "cli/results/measure_cells.hpp"
#include "cli/results/reach_places.hpp"
#include "config/suggest.hpp"
#include "report/document/table.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/progress_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kOneMetricFlag =
    kMetricFlag.With<Count::kOptional>(&Flag::repeatable, false)
        .Described("By which cells are compared: wakeup_p99, ...")
        .Usually("throughput, or a latency where the workload fixes its throughput");
constexpr auto kPairFlag =
    TextFlag{"--pair", "", "KEY,KEY", "The keys of the two-way table (default: the first two)"};

constexpr auto kSweepFlags = FlagsOf(kWorkloadFlag, kOverFlag, kWithFlag, kOneMetricFlag, kPairFlag,
                                     kExtentFlags, kListOnlyFlag, kJournalFlag, kPerturbationFlags,
                                     kPlaceFlags, kOnEachFlag, kOutputFlags);

constexpr std::string_view kSweepDetails =
    R"(Measures all combinations ("cells") of the values of each --over. A key is workers, a field of the
config (also stacks.guard), a parameter of the workload, or scheduler. If a name is both a field and
a parameter, write config.NAME or workload.NAME. A list is 1,4,16, or has ranges: 1..4, 0..100+20
(steps of 20), 1..64*2 (each twice the one before). Each WHAT is a scheduler or a config, as for
compare (default: fast); several of them form the key scheduler. --with adds foreign runtimes and
your own agents to them, whose keys are workers and the parameters of the workload. A key must not
be set by a WHAT or by --workload as well; what a config file sets is overridden.

In each block every cell runs in a fresh process of its own, in a random order. A cell that is
proven worse than the best by more than --min-effect gets no more blocks. The result has:
  the best cell by --metric, and the command that runs it
  the cells that may be as good: all intervals of all pairs of cells hold together with 95 %
  a table for each key, and for a pair of keys: geometric means of the cells with that value
  what each key explains of the differences between cells (analysis of variance of the logarithms
  of the medians, with the noise subtracted)

A combination that a config forbids is not measured. A cell that crashes, hangs or gives a wrong
answer is marked with the reason, the others continue, and the exit code is 4 at the end, or 2 if
the machine refused a cell.

--host and --slurm distribute the blocks to other machines, all cells of a block to one. All of them
measure at the same time. Cells are only compared within a block, so that a slow machine is no
difference between cells. With --on-each every cell is measured on every machine, and the table of
the key machine shows how much the machines differ. If a machine is lost, the others measure its
blocks. If none is left, or with --on-each, what is missing is marked as not measured, and the exit
code is 2; the same command with --journal measures it.
)";

// Returns the pair; adds to `problems` if a key does not exist.
std::optional<std::pair<std::size_t, std::size_t>> PairOf(const Arguments& arguments,
                                                          const harness::SweepPlan& plan,
                                                          config::Problems& problems) {
  const auto text = arguments[kPairFlag];
  if (!text) {
    return plan.keys.size() < 2 ? std::nullopt
                                : std::optional(std::pair<std::size_t, std::size_t>(0, 1));
  }
  const std::string where = PlaceOf(kPairFlag, *text);
  const std::size_t comma = text->find(',');
  if (comma == std::string::npos || text->find(',', comma + 1) != std::string::npos) {
    Reject(problems, where, "expected two keys, such as workers,lifo_limit");
    return std::nullopt;
  }
  std::vector<std::size_t> places;
  for (const std::string& name : {text->substr(0, comma), text->substr(comma + 1)}) {
    const auto found = std::ranges::find(plan.keys, name, &harness::SweepKey::name);
    if (found == plan.keys.end()) {
      const auto known = VectorOf<std::string_view>(plan.keys, &harness::SweepKey::name);
      Reject(problems, where, "this sweep has no key {}{}", config::Quoted(name),
             config::DidYouMean(name, known));
      return std::nullopt;
    }
    places.push_back(static_cast<std::size_t>(found - plan.keys.begin()));
  }
  if (places[0] == places[1]) {
    Reject(problems, where, "the two keys are the same");
    return std::nullopt;
  }
  return std::pair(places[0], places[1]);
}

std::string EstimateOf(const harness::SweepPlan& plan) {
  const auto possible = static_cast<std::size_t>(
      std::ranges::count(plan.cells, std::string(), &harness::SweepCell::impossible));
  const std::string planned =
      fmt::format("{} in {} of {} and {} warm-up: {} processes", report::Plural(possible, "cell"),
                  report::Plural(plan.blocks, "block"), report::Plural(plan.rounds, "round"),
                  plan.warmup, possible * plan.blocks);
  const ProcessEstimate estimate = EstimateProcess(harness::ExperimentOf(plan));
  if (estimate.cells == 0) {
    return planned + "; the cells that were tried gave no result\n";
  }
  return fmt::format(
      "{}, about {} if no cell ends early, by one round of {}\n", planned,
      report::TimeText(estimate.seconds * static_cast<double>(possible * plan.blocks)),
      report::Plural(estimate.tried, "cell"));
}

void PrintCells(const harness::SweepPlan& plan) {
  report::TableOf<harness::SweepCell> table;
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    table.Add({plan.keys[key].name, report::kRight}, [&, key](const harness::SweepCell& cell) {
      return config::Escaped(plan.keys[key].values[cell.place[key]]);
    });
  }
  table.Add({""}, [](const harness::SweepCell& cell) {
    return cell.impossible.empty() ? "" : "not possible: " + cell.impossible;
  });
  Print(report::TableText(std::move(table).Rows(plan.cells), StdoutStyle()) + EstimateOf(plan));
}

ExitCode Sweep(const Arguments& arguments) {
  config::Problems problems;
  report::SweepResult result;
  harness::SweepPlan& plan = result.plan;
  const auto workload = ChooseWorkload(arguments[kWorkloadFlag], problems);
  if (workload) {
    if (!arguments.Has(kOverFlag) && arguments.words.size() < 2 && !arguments.Has(kWithFlag)) {
      Reject(problems, kOverFlag,
             "is missing: what differs between the cells    --over workers=1..4");
    } else {
      BuildGrid(arguments, *workload, arguments[kOverFlag], false, kOverFlag, plan, problems);
    }
    plan.metric =
        MetricOf(arguments[kOneMetricFlag].value_or(std::string(workload->entry->ranked_by)),
                 *workload->entry, kMetricFlag, problems);
  }
  problems.ThrowIfAny();
  SetPlaces(arguments, plan);
  SetExtentOfCells(arguments, plan);
  result.pair = PairOf(arguments, plan, problems);
  problems.ThrowIfAny();
  if (arguments[kListOnlyFlag]) {
    PrintCells(plan);
    return ExitCode::kDone;
  }
  const Delivery delivery = Delivery::Of<report::SweepResult>(arguments);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  const Perturbations perturbations(arguments);
  plan.perturbed = perturbations.Text();
  return MeasureAndDeliver(result, arguments, delivery, "sweep");
}

const CommandRegistration kSweep{{
    .place = 30,
    .name = "sweep",
    .summary = "find the best values of settings and parameters",
    .words = kAlternatives,
    .flags = kSweepFlags,
    .details = kSweepDetails,
    .examples =
        R"(  schedbench sweep fast --workload pingpong --over lifo_limit=0,1,3,10 --over workers=1..4
  schedbench sweep fast global_fifo --workload yield --over fibers=10..1000*10 --list
  schedbench sweep --workload yield --over scheduler=fast,global_fifo --over workers=1,2 -o a.json
  schedbench sweep fast --with go,tokio --workload taskgraph --over grain_ns=100..10000*10
  schedbench sweep --workload channel_mpmc --over capacity=1..256*4 --journal sweep.journal
  schedbench sweep fast --workload yield --over workers=1..4 --host box1,box2
)",
    .run = &Sweep,
}};

}  // namespace

}  // namespace schedbench::cli

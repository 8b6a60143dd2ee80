#include "harness/metg/metg.hpp"

#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/value_list.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/measure_cells.hpp"
#include "config/assignment.hpp"
#include "config/parse_value.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/threads/thread.hpp"
#include "report/parts/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kPatternFlag = TextFlag{
    "--pattern", "", "LIST", "Measure these dependences, one after the other: stencil_1d,fft,tree"};
constexpr auto kEfficiencyFlag =
    ShareFlag{"--efficiency", "", "SHARE", "The share of the workers' time that is to be work"}
        .Default("50%");
constexpr auto kGrainsFlag =
    TextFlag{"--grains", "", "LIST", "Grains of the search in nanoseconds, ascending"}.Default(
        "16..262144*4");

constexpr auto kMetgBudgetFlag = kBudgetFlag.Default("3m");

constexpr auto kMetgFlags = FlagsOf(
    kWorkloadFlag.Described("A workload with the parameter grain_ns and the metric efficiency")
        .Usually("taskgraph, at least 8 tasks wide for each CPU")
        .Once("--pattern measures several dependences"),
    kPatternFlag, kWithFlag, kWorkersFlag, kEfficiencyFlag, kGrainsFlag, kExtentFlags,
    kBlocksFlag.Usually("20"), kMetgBudgetFlag, kPerturbationFlags, kOutputFlags);

constexpr std::string_view kMetgDetails =
    R"(Measures the minimum effective task granularity (METG) of Task Bench: how small tasks may be until
a scheduler spends half of the workers' time on them. Each WHAT is a scheduler or a config, as for
compare (default: fast); --with adds foreign runtimes.

  granularity  wall time of a round, times the workers (at most as many as CPUs), divided by the
               tasks: the time of a worker for a task, with all overhead and all waiting
  efficiency   the grain (grain_ns, the work of a task) divided by the granularity
  METG(50 %)   the smallest granularity with an efficiency of 50 %

The ideal is the grain itself, as in Task Bench, and not the best of the schedulers. A grain is a
fixed number of dependent multiplications, and not a time: each process measures its speed before
the first round, on one thread and without a scheduler, and takes the fastest of 50 trials. So the
grain is the time of the work at its peak, and what the CPU is slower later counts as overhead.

The search measures each grain of --grains in two blocks, from the smallest on, until the efficiency
is reached. Five grains within a factor of two around the estimate are probed in three blocks, again
around a better estimate if they do not enclose the result. Then they are measured in --blocks
blocks. A block is a fresh process for each grain and alternative, all in random order. The result
is where the medians cross the efficiency, linear in the logarithm of the granularity; its interval
is a bootstrap interval over the blocks. The ratios to the first alternative draw the same blocks
for both; all of them hold at once with 95 %.

A result may be "not reached" by the largest grain, or "below the smallest grain". If an alternative
fails, the others continue, and the exit code is 4, or 2 if the machine or the agent refused it.
)";

bool HasLeaf(const registry::WorkloadEntry& workload, std::string_view name) {
  return workload.schema().FindLeaf(name) != nullptr;
}

bool HasGrain(const registry::WorkloadEntry& workload) {
  return HasLeaf(workload, harness::kGrainParameter) &&
         FindByName(workload.metrics, harness::kEfficiencyMetric) != nullptr;
}

std::string DefaultGraph() {
  return fmt::format("taskgraph:width={}", std::max(32U, 8 * platform::AvailableCpus()));
}

void AddWorkloads(const Arguments& arguments, harness::MetgPlan& plan, config::Problems& problems) {
  const std::string text = arguments.Has(kWorkloadFlag) ? arguments[kWorkloadFlag] : DefaultGraph();
  const std::string where = PlaceOf(kWorkloadFlag, text);
  const auto workload = ChooseWorkload(text, problems);
  if (!workload) {
    return;
  }
  if (!HasGrain(*workload->entry)) {
    const auto known = VectorOf(registry::Workloads() | std::views::filter([](const auto* entry) {
                                  return HasGrain(*entry);
                                }),
                                &registry::WorkloadEntry::name);
    Reject(problems, where, "{} has no parameter {} and metric {}, which metg needs; expected {}",
           workload->entry->name, harness::kGrainParameter, harness::kEfficiencyMetric,
           fmt::join(known, ", "));
    return;
  }
  if (SpecSets(text, harness::kGrainParameter)) {
    Reject(problems, where, "metg itself sets {}    --grains LIST sets where it searches",
           harness::kGrainParameter);
    return;
  }
  const auto add = [&](const config::Settings& parameters, const std::string& name) {
    plan.workloads.push_back(Compared({workload->entry, parameters}, name));
  };
  const auto patterns = arguments[kPatternFlag];
  if (!patterns) {
    add(workload->parameters, text);
    return;
  }
  constexpr std::string_view kPatternParameter = "pattern";
  const std::string place = PlaceOf(kPatternFlag, *patterns);
  if (!HasLeaf(*workload->entry, kPatternParameter) || SpecSets(text, kPatternParameter)) {
    problems.Add(place, "",
                 SpecSets(text, kPatternParameter)
                     ? fmt::format("{} sets the pattern as well", config::Quoted(text))
                     : fmt::format("{} has no parameter pattern", workload->entry->name));
    return;
  }
  for (const std::string& pattern : ParseValueList(*patterns, place, problems)) {
    config::Settings parameters = workload->parameters;
    config::Assign(parameters, kPatternParameter, pattern, {place, ""}, problems, "parameter");
    const std::string name = fmt::format("{}{}{}={}", text, text.find(':') == text.npos ? ":" : ",",
                                         kPatternParameter, pattern);
    if (FindByName(plan.workloads, name) != nullptr) {
      Reject(problems, place, "{} is given twice", config::Quoted(pattern));
    }
    add(parameters, name);
  }
}

void AddGrains(const Arguments& arguments, harness::MetgPlan& plan, config::Problems& problems) {
  const std::string text = arguments[kGrainsFlag];
  const std::string where = PlaceOf(kGrainsFlag, text);
  const config::FieldInfo& field =
      *plan.workloads.front().entry->schema().FindLeaf(harness::kGrainParameter)->field;
  for (const std::string& value : ParseValueList(text, where, problems)) {
    config::ParsedValue parsed = config::ParseText(field, value);
    if (!parsed.value) {
      problems.Add(where, "", std::move(parsed.error));
      return;
    }
    const std::uint64_t grain = std::get<std::uint64_t>(*parsed.value);
    if (grain == 0 || (!plan.grains.empty() && grain <= plan.grains.back())) {
      Reject(problems, where, "grains are above 0, and each is larger than the one before; got {}",
             value);
      return;
    }
    plan.grains.push_back(grain);
  }
}

harness::MetgPlan MetgPlanOf(const Arguments& arguments) {
  config::Problems problems;
  harness::MetgPlan plan;
  AddWorkloads(arguments, plan, problems);
  problems.ThrowIfAny();
  AddGrains(arguments, plan, problems);
  plan.efficiency = arguments[kEfficiencyFlag];
  if (plan.efficiency > 0.99) {
    Reject(problems, PlaceOf(kEfficiencyFlag, arguments),
           "a scheduler always takes some time; expected at most 99%");
  }
  plan.alternatives = AlternativesAndPeers(
      arguments, arguments.words.empty() ? std::vector<std::string>{"fast"} : arguments.words,
      arguments[kWorkersFlag], problems);
  problems.ThrowIfAny();
  SetExtent(arguments, 20, plan);
  plan.budget = arguments[kMetgBudgetFlag];
  plan.min_effect = arguments[kMinEffectFlag];
  return plan;
}

ExitCode MetgCode(const harness::MetgData& data) {
  ExitCode code = ExitCode::kDone;
  for (const auto& points : data.curves) {
    for (const harness::MetgPoint& point : points) {
      code = std::max(code, CodeOfSeries(point.series));
    }
  }
  return data.complete || code == ExitCode::kWrongAnswer ? code : ExitCode::kInterrupted;
}

ExitCode Metg(const Arguments& arguments) {
  report::MetgResult result;
  result.plan = MetgPlanOf(arguments);
  const Delivery delivery = Delivery::Of<report::MetgResult>(arguments);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  const Perturbations perturbations(arguments);
  result.perturbed = perturbations.Text();
  Measurement measurement(arguments);
  harness::MetgEvents events{
      .progress =
          [&](std::optional<std::uint64_t> grain, const harness::ExperimentProgress& progress) {
            measurement.line.Show([&] {
              return grain ? fmt::format("search, grain {} ns: block {} of {}", *grain,
                                         progress.block + 1, progress.blocks)
                           : report::CellsProgressText(progress);
            });
          },
      .cancelled = nullptr};
  measurement.Connect(events);
  result.data = harness::SampleMetg(result.plan, events);
  measurement.Stop();
  result.curves = harness::AnalyseMetg(result.plan, result.data);
  delivery.Deliver(result);
  return MetgCode(result.data);
}

const CommandRegistration kMetg{{
    .place = 50,
    .name = "metg",
    .summary = "find the smallest tasks that a scheduler runs efficiently",
    .words = kAlternatives,
    .flags = kMetgFlags,
    .details = kMetgDetails,
    .examples =
        R"(  schedbench metg
  schedbench metg fast global_fifo --with go,tokio
  schedbench metg fast work_stealing --pattern stencil_1d,fft,tree,random_nearest -o metg.json
  schedbench metg fast --workload taskgraph:width=256,steps=100 --efficiency 90%
)",
    .run = &Metg,
}};

}  // namespace

}  // namespace schedbench::cli

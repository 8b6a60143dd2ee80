#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/places.hpp"
#include "cli/results/journal.hpp"
#include "cli/results/measure_cells.hpp"
#include "cli/results/reach_places.hpp"
#include "platform/machine/machine_info.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::cli {

namespace {

constexpr auto kScaleFlags = FlagsOf(kWorkloadFlag, kWorkerCountsFlag, kWithFlag, kExtentFlags,
                                     kJournalFlag, kPerturbationFlags, kPlaceFlags, kOutputFlags);

constexpr std::string_view kScaleDetails =
    R"(Measures the throughput of each WHAT (default: fast) with each number of workers, as schedbench
sweep does: block by block in random order, each in a fresh process. --with adds foreign runtimes.
The table shows:
  speed-up        throughput by that of the fewest workers, with the interval of the median of the
                  ratios; all intervals of all pairs hold together with 95 %
  efficiency      speed-up by the growth of the number of workers
  slower than N   proven slower, by more than --min-effect, than with N workers: more workers hurt
  oversubscribed  more workers than CPUs that the process may use

Two laws are fitted to the medians up to the number of CPUs, by least squares of the relative
deviation, with bootstrap intervals over the blocks:
  Amdahl's law: throughput(n) = first n / (1 + s (n - 1)), s is the serial share; needs 2 numbers
  universal scalability law: first n / (1 + sigma (n - 1) + kappa n (n - 1)), with contention sigma
  and coherence kappa, and its peak; needs 3 numbers

--host and --slurm measure on other machines, each block on one, several blocks at the same time.
The default numbers of workers are those of the machine with the fewest CPUs. If a machine is lost,
the others measure its blocks; if none is left, the exit code is 2.

A failed cell is marked, the others continue, and the exit code is 4, or 2 if the machine refused
one.
)";

// Returns "1,2,3,4,5,6,7,8,16,32,48" for 48 CPUs.
std::string DefaultCounts(std::uint32_t cpus) {
  constexpr std::uint32_t kEach = 8;
  std::string list = "1";
  for (std::uint32_t count = 2; count <= cpus; count = count < kEach ? count + 1
                                                       : count == cpus
                                                           ? cpus + 1
                                                           : std::min(2 * count, cpus)) {
    list += fmt::format(",{}", count);
  }
  return cpus == 1 ? "1,2" : list;
}

ExitCode Scale(const Arguments& arguments) {
  config::Problems problems;
  report::SweepResult result;
  result.kind = report::SweepResult::Kind::kScale;
  result.machine = platform::ThisMachine();
  harness::SweepPlan& plan = result.plan;
  plan.settles = false;  // the laws need all blocks of all points
  const auto workload = ChooseWorkload(arguments[kWorkloadFlag], problems);
  const std::vector<harness::PlacePtr> places = PlacesOf(arguments, problems);
  if (workload && problems.empty()) {
    plan.places = Greeted(arguments, places, {});
    const std::string counts = arguments[kWorkerCountsFlag].value_or(
        DefaultCounts(harness::FewestCpus(plan.places, result.machine.cpus_allowed)));
    BuildGrid(arguments, *workload, {"config.workers=" + counts}, true, kWorkerCountsFlag, plan,
              problems);
    plan.metric = MetricOf("throughput", *workload->entry, kWorkloadFlag, problems);
    if (registry::IsPaced(*workload->entry)) {
      const std::string spec = arguments[kWorkloadFlag];
      Reject(problems, PlaceOf(kWorkloadFlag, spec),
             "the parameters of {} fix its throughput, which does not grow with the workers    "
             "schedbench sweep --over workers=1,2 --workload {}",
             workload->entry->name, config::Escaped(spec));
    }
  }
  problems.ThrowIfAny();
  plan.keys[harness::kWorkersOfScale].name = "workers";
  SetPlaces(arguments, plan);
  SetExtentOfCells(arguments, plan);
  const Delivery delivery = Delivery::Of<report::SweepResult>(arguments);
  result.command = arguments.command_line;
  const Perturbations perturbations(arguments);
  plan.perturbed = perturbations.Text();
  return MeasureAndDeliver(result, arguments, delivery, "scale");
}

const CommandRegistration kScale{{
    .place = 40,
    .name = "scale",
    .summary = "find out how throughput grows with the number of workers",
    .words = kAlternatives,
    .flags = kScaleFlags,
    .details = kScaleDetails,
    .examples =
        R"(  schedbench scale --workload spawn_join
  schedbench scale fast global_fifo --workload fib --workers 1..4
  schedbench scale fast --with go,tokio --workload skynet --workers 1,2
  schedbench scale fast --workload mutex --workers 1..64*2 -o scale.json
)",
    .run = &Scale,
}};

}  // namespace

}  // namespace schedbench::cli

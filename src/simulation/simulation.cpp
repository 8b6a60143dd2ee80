#include "simulation/simulation.hpp"

#include "metrics/metric_list.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "simulation/machine/machine.hpp"
#include "simulation/steps.hpp"

#include <set>

// The namespace is renamed: it is not the one that ships.
namespace simulated = schedbench;

namespace sim_scaling {

namespace {

// Makes the lists that live until the end of the program outside of the memory of a run.
void MakeLists() {
  static const bool made = [] {
    simulated::metrics::WorkerMetricList();
    simulated::registry::FindScheduler("fast")->schema();
    for (const auto* workload : simulated::registry::Workloads()) {
      workload->schema();
    }
    return true;
  }();
  static_cast<void>(made);
}

}  // namespace

void RunOnMachine(const Costs& costs, const std::string& name, const std::function<void()>& body) {
  MakeLists();
  static std::set<std::string> known;
  Machine& machine = Machine::Instance();
  if (known.insert(name).second) {
    machine.SetAllocates(false);
    machine.Run(costs, body);
    machine.SetAllocates(true);
  }
  machine.Run(costs, body);
}

double SimulateStep(const Costs& costs, unsigned step, std::uint64_t count, std::uint64_t fibers) {
  double ns = 0;
  RunOnMachine(costs, "step " + std::to_string(step), [&] {
    ns =
        simulated::scaling::MeasureStep(static_cast<simulated::scaling::Step>(step), count, fibers);
  });
  return ns;
}

}  // namespace sim_scaling

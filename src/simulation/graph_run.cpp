#include "simulation/graph_run.hpp"

#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "metrics/log_histogram.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "simulation/machine/machine.hpp"
#include "simulation/simulation.hpp"
#include "simulation/stand_ins/timers.hpp"

#include <algorithm>

// The namespace is renamed: it is not the one that ships.
namespace simulated = schedbench;

namespace sim_scaling {

namespace {

simulated::config::Settings SettingsOf(const std::string& spec,
                                       const simulated::config::Schema& schema) {
  simulated::config::Problems problems;
  simulated::config::Settings settings(schema);
  if (const auto parts = simulated::config::ParseSpec(spec, "", problems)) {
    simulated::config::ApplySpec(*parts, settings, problems);
  }
  if (!problems.empty()) {
    Machine::Fail(problems.List().front().message.c_str());
  }
  return settings;
}

}  // namespace

GraphPrediction SimulateGraph(const Costs& costs, const GraphRun& run) {
  Machine& machine = Machine::Instance();
  GraphPrediction prediction;
  prediction.makespans_ns.resize(run.rounds);
  std::array<Time, Machine::kUses> times{};
  RunOnMachine(costs, "replay", [&] {
    const simulated::sim::Timers timers;
    const auto& scheduler_entry = *simulated::registry::FindScheduler("fast");
    const auto& workload_entry = *simulated::registry::FindWorkload("replay");
    auto config = SettingsOf(run.scheduler, scheduler_entry.schema());
    config.Set("workers", std::uint64_t{run.workers}, {});
    auto parameters = SettingsOf("replay", workload_entry.schema());
    parameters.Set("graph", run.graph, {});
    parameters.Set("loop", std::string(run.is_open ? "open" : "closed"), {});
    const auto scheduler = scheduler_entry.make(config, run.seed);
    const auto workload = workload_entry.make(parameters, run.seed);
    const auto round = [&] {
      workload->Prepare();
      const std::uint64_t begin = simulated::platform::NowNs();
      workload->Run(*scheduler);
      const std::uint64_t end = simulated::platform::NowNs();
      scheduler->WaitIdle();
      if (const std::string wrong = workload->Verify(); !wrong.empty()) {
        Machine::Fail(wrong.c_str());
      }
      return static_cast<double>(end - begin);
    };
    round();
    machine.ResetTimes();
    const auto ready_times = [&] {
      simulated::metrics::HistogramSnapshot all;
      for (const auto& worker : scheduler->ReadWorkers()) {
        all.Add(worker.wakeup_ticks);
      }
      return all;
    };
    const simulated::metrics::HistogramSnapshot before = ready_times();
    for (double& ns : prediction.makespans_ns) {
      ns = round();
    }
    times = machine.Times();
    simulated::metrics::HistogramSnapshot ready = ready_times();
    ready.Subtract(before);
    if (const auto p99 = ready.QuantileWithInterval(0.99)) {
      prediction.ready_p99_ns = {p99->value, p99->low, p99->high};
    }
  });
  // Only workers count: threads for timers and similar tasks are nearly always idle.
  double all = 0;
  for (const double ns : prediction.makespans_ns) {
    all += ns * 1000 * run.workers;
  }
  const auto share = [&](Machine::Use use) {
    return std::min(1.0, static_cast<double>(times[use]) / all);
  };
  prediction.work = share(Machine::kWork);
  prediction.transfer = share(Machine::kTransfer);
  prediction.search = share(Machine::kSearch);
  prediction.idle = std::max(0.0, 1 - prediction.work - prediction.transfer - prediction.search);
  return prediction;
}

}  // namespace sim_scaling

#include "tests/sim/scaling/simulation.hpp"

#include "metrics/metric_list.hpp"
#include "platform/threads/thread.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "tests/bench/contender.hpp"
#include "tests/sim/scaling/machine/machine.hpp"
#include "tests/sim/scaling/steps.hpp"

#include <algorithm>
#include <string_view>

// Renamed: not the namespace that ships.
namespace simulated = schedbench;

namespace sim_scaling {

namespace {

// Lists that live until the end of the program are made when they are asked for first: not in the memory of a run.
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

std::string ShortPlace(const char* file, std::uint32_t line) {
  std::string_view path(file);
  for (const std::string_view root : {"/schedulers/", "/src/", "/workloads/", "/tests/"}) {
    if (const std::size_t at = path.rfind(root); at != std::string_view::npos) {
      path.remove_prefix(at + 1);
      break;
    }
  }
  return std::string(path) + ":" + std::to_string(line);
}

std::vector<HotPlace> Hottest(const Machine& machine, double all) {
  constexpr std::size_t kShown = 3;
  std::vector<HotPlace> places;
  for (const Machine::Wait& wait : machine.Waits()) {
    if (wait.file != nullptr) {
      places.push_back({.place = ShortPlace(wait.file, wait.line),
                        .share = static_cast<double>(wait.time) / all});
    }
  }
  std::ranges::sort(places, std::ranges::greater{}, &HotPlace::share);
  places.resize(std::min(places.size(), kShown));
  return places;
}

}  // namespace

Prediction Simulate(const Costs& costs, const std::string& workload, unsigned workers) {
  MakeLists();
  Machine& machine = Machine::Instance();
  Prediction prediction;
  std::array<Time, Machine::kUses> times{};
  machine.Run(costs, [&] {
    simulated::tests::Contender contender("fast", workload, workers);
    contender.RunRound();
    machine.ResetTimes();
    prediction.ns_per_operation = contender.RunRound();
    times = machine.Times();
  });
  double all = 0;
  for (const Time time : times) {
    all += static_cast<double>(time);
  }
  const auto share = [&](Machine::Use use) {
    return static_cast<double>(times[use]) / all;
  };
  prediction.work = share(Machine::kWork);
  prediction.transfer = share(Machine::kTransfer);
  prediction.search = share(Machine::kSearch);
  prediction.idle = share(Machine::kIdle);
  prediction.hottest = Hottest(machine, all);
  return prediction;
}

double SimulateStep(const Costs& costs, unsigned step, std::uint64_t count, std::uint64_t fibers) {
  MakeLists();
  double ns = 0;
  Machine::Instance().Run(costs, [&] {
    ns = simulated::scaling::MeasureStep(static_cast<simulated::scaling::Step>(step), count, fibers);
  });
  return ns;
}

double SimulateThreads(const Costs& costs, unsigned cores,
                       const std::function<void(unsigned)>& body) {
  Machine& machine = Machine::Instance();
  double ns = 0;
  machine.Run(costs, [&] {
    std::vector<simulated::platform::Thread> threads;
    for (unsigned core = 0; core < cores; ++core) {
      threads.emplace_back("", [&body, core] {
        body(core);
      });
    }
    threads.clear();
    ns = static_cast<double>(machine.NowNs());
  });
  return ns;
}

}  // namespace sim_scaling

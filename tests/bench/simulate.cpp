#include "tests/bench/simulate.hpp"

#include "platform/threads/thread.hpp"
#include "simulation/machine/machine.hpp"
#include "simulation/simulation.hpp"
#include "tests/bench/contender.hpp"

#include <algorithm>
#include <array>
#include <string_view>

// Renamed: not the namespace that ships.
namespace simulated = schedbench;

namespace sim_scaling {

namespace {

using Waits = std::array<Machine::Wait, Machine::kPlaces>;

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

std::vector<HotPlace> Hottest(const Waits& waits, double all) {
  constexpr std::size_t kShown = 3;
  std::vector<HotPlace> places;
  for (const Machine::Wait& wait : waits) {
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

Prediction Simulate(const Costs& costs, const std::string& workload, unsigned workers,
                    const std::string& scheduler) {
  Machine& machine = Machine::Instance();
  Prediction prediction;
  std::array<double, 7> rounds{};
  std::array<Time, Machine::kUses> times{};
  static Waits waits;  // too large for a stack
  RunOnMachine(costs, workload, [&] {
    simulated::simulation::Contender contender(scheduler, workload, workers);
    contender.RunRound();
    machine.ResetTimes();
    for (double& ns : rounds) {
      ns = contender.RunRound();
    }
    prediction.operations = static_cast<double>(contender.Operations());
    times = machine.Times();
    waits = machine.Waits();
  });
  std::ranges::sort(rounds);
  prediction.ns_per_operation = rounds[rounds.size() / 2];
  prediction.fastest_ns = rounds.front();
  prediction.slowest_ns = rounds.back();
  double all = 0;
  for (const Time time : times) {
    all += static_cast<double>(time);
  }
  const auto share = [&](Machine::Use use) { return static_cast<double>(times[use]) / all; };
  prediction.work = share(Machine::kWork);
  prediction.transfer = share(Machine::kTransfer);
  prediction.search = share(Machine::kSearch);
  prediction.idle = share(Machine::kIdle);
  prediction.hottest = Hottest(waits, all);
  return prediction;
}

double SimulateThreads(const Costs& costs, unsigned cores,
                       const std::function<void(unsigned)>& body) {
  Machine& machine = Machine::Instance();
  double ns = 0;
  machine.Run(costs, [&] {
    std::vector<simulated::platform::Thread> threads;
    for (unsigned core = 0; core < cores; ++core) {
      threads.emplace_back("", [&, core] {
        body(core);
        ns = std::max(ns, static_cast<double>(machine.NowNs()));
      });
    }
    threads.clear();
  });
  return ns;
}

}  // namespace sim_scaling

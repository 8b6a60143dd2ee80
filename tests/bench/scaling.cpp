// Predicts the throughput of `fast` with many cores by simulation (src/simulation), and compares the
// predictions for one and two cores with this machine.
// Usage: bench_scaling [--cores N,...] [--cluster N] [--workloads NAME,...]
//                      [--scheduler fast:FIELD=VALUE,...] [--costs FILE] [--format table|json]
#include "platform/threads/thread.hpp"
#include "simulation/calibrate.hpp"
#include "simulation/messages.hpp"
#include "simulation/simulation.hpp"
#include "stats/order_statistics.hpp"
#include "tests/bench/contender.hpp"
#include "tests/bench/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace schedbench::tests {

using simulation::Contender;

namespace {

using sim_scaling::Costs;
using sim_scaling::Prediction;

struct ScalingWorkload {
  std::string_view name;
  const char* spec;
  const char* smaller;  // with a part of the operations: the rest is the steady state
  const char* operation;
  double fork_work_ns =
      0;  // what calls compute, which the simulation does not count, for each fork
};

// What fast takes for a placement of nqueens:n=13 with one worker on an AMD EPYC, without the fork.
constexpr double kPlacementNs = 130;
// 4,674,889 placements with 1,716,651 forks: of the queens of a row, each but the first is forked.
constexpr double kPlacementsPerFork = 4'674'889.0 / 1'716'651.0;

// The sizes of the targets in PERFORMANCE.md, where they have one.
constexpr std::array kScalingWorkloads{
    ScalingWorkload{"spawn_join", "spawn_join:tasks=20000", "spawn_join:tasks=10000", "fibers"},
    ScalingWorkload{"skynet", "skynet:leaves=10000,fork=spawn", "skynet:leaves=5000,fork=spawn",
                    "fibers"},
    ScalingWorkload{"skynet_large", "skynet:leaves=100000,fork=spawn",
                    "skynet:leaves=50000,fork=spawn", "fibers"},
    ScalingWorkload{"pingpong", "pingpong:pairs=1024,rounds=400", "pingpong:pairs=1024,rounds=200",
                    "round trips"},
    ScalingWorkload{"imbalance", "single_producer_imbalance:tasks=50000,body_ns=1000",
                    "single_producer_imbalance:tasks=25000,body_ns=1000", "tasks"},
    ScalingWorkload{"fib", "fib:n=32,fork=structured", "fib:n=31,fork=structured", "forks"},
    ScalingWorkload{"skynet_forks", "skynet:leaves=1000000,fork=structured,report=join",
                    "skynet:leaves=500000,fork=structured,report=join", "calls"},
    ScalingWorkload{.name = "nqueens",
                    .spec = "nqueens:n=13",
                    .smaller = "nqueens:n=12",
                    .operation = "placements",
                    .fork_work_ns = kPlacementNs * kPlacementsPerFork}};

struct Arguments {
  std::vector<unsigned> cores{1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::optional<unsigned> cluster;
  std::vector<ScalingWorkload> workloads{kScalingWorkloads.begin(), kScalingWorkloads.end()};
  std::string scheduler = "fast";
  std::optional<Costs> costs;  // not measured here
  bool is_json = false;
};

std::vector<std::string_view> SplitAtCommas(std::string_view list) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) {
      return parts;
    }
    list.remove_prefix(comma + 1);
  }
}

[[noreturn]] void EndUsage(const std::string& message) {
  fmt::print(stderr,
             "error: {}\nusage: bench_scaling [--cores N,...] [--cluster N] [--workloads NAME,...] "
             "[--scheduler fast:FIELD=VALUE,...] [--costs FILE] [--format table|json]\n",
             message);
  std::exit(2);
}

std::vector<unsigned> ParseCores(std::string_view option, std::string_view list) {
  std::vector<unsigned> cores;
  for (const std::string_view part : SplitAtCommas(list)) {
    unsigned count = 0;
    const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), count);
    if (failed != std::errc{} || end != part.data() + part.size() || count == 0 ||
        count > sim_scaling::kMaxWorkers) {
      EndUsage(fmt::format("{}: '{}' is not a number from 1 to {}", option, part,
                           sim_scaling::kMaxWorkers));
    }
    cores.push_back(count);
  }
  return cores;
}

std::vector<ScalingWorkload> ParseWorkloads(std::string_view list) {
  std::vector<ScalingWorkload> workloads;
  for (const std::string_view part : SplitAtCommas(list)) {
    const auto* const found = std::ranges::find(kScalingWorkloads, part, &ScalingWorkload::name);
    if (found == kScalingWorkloads.end()) {
      std::string names;
      for (const ScalingWorkload& workload : kScalingWorkloads) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", workload.name);
      }
      EndUsage(fmt::format("--workloads: '{}' is not one of {}", part, names));
    }
    workloads.push_back(*found);
  }
  return workloads;
}

// Before a simulation, which cannot report errors.
void CheckScheduler(const std::string& spec) {
  if (spec != "fast" && !spec.starts_with("fast:")) {
    EndUsage(fmt::format("--scheduler: '{}' is not fast, or fast:FIELD=VALUE,...", spec));
  }
  try {
    const Contender contender(spec, kScalingWorkloads.front().spec, 1);
  } catch (const std::exception& wrong) {
    EndUsage(fmt::format("--scheduler: {}", wrong.what()));
  }
}

// The simulator prints such a file: echo '{"request":"calibrate"}' | schedbench-simulator
Costs ReadCosts(const std::string& path) {
  constexpr double kMostNs = 1e9;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) {
    EndUsage(fmt::format("--costs: cannot read {}", path));
  }
  try {
    const sim_scaling::SimulatorReply reply = sim_scaling::ParseReply(line);
    const auto* const read = std::get_if<sim_scaling::CostsReply>(&reply);
    if (read == nullptr) {
      EndUsage(fmt::format("--costs: {}: not a reply with costs", path));
    }
    const Costs& costs = read->costs;
    for (double Costs::* const cost : sim_scaling::kCosts) {
      if (!(costs.*cost >= 0 && costs.*cost <= kMostNs)) {
        EndUsage(
            fmt::format("--costs: {}: {} is not a cost from 0 to {}", path, costs.*cost, kMostNs));
      }
    }
    const auto cluster = static_cast<std::uint64_t>(std::clamp(costs.cluster, 0.0, kMostNs));
    if (static_cast<double>(cluster) != costs.cluster ||
        (cluster != 0 && !std::has_single_bit(cluster))) {
      EndUsage(fmt::format("--costs: {}: cluster {} is not a power of two", path, costs.cluster));
    }
    return costs;
  } catch (const std::exception& wrong) {
    EndUsage(fmt::format("--costs: {}: {}", path, wrong.what()));
  }
}

Arguments ParseArguments(int argc, char** argv) {
  constexpr std::array<std::string_view, 6> kOptions{"--cores",     "--cluster", "--workloads",
                                                     "--scheduler", "--costs",   "--format"};
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (std::ranges::find(kOptions, name) == kOptions.end()) {
      EndUsage(fmt::format("unknown option '{}'", name));
    }
    if (++i == argc) {
      EndUsage(fmt::format("{} needs a value", name));
    }
    const std::string_view value = argv[i];
    if (name == "--cores") {
      arguments.cores = ParseCores(name, value);
    } else if (name == "--cluster") {
      const std::vector<unsigned> clusters = ParseCores(name, value);
      if (clusters.size() != 1 || !std::has_single_bit(clusters.front())) {
        EndUsage(fmt::format("--cluster: '{}' is not a power of two", value));
      }
      arguments.cluster = clusters.front();
    } else if (name == "--costs") {
      arguments.costs = ReadCosts(std::string(value));
    } else if (name == "--workloads") {
      arguments.workloads = ParseWorkloads(value);
    } else if (name == "--scheduler") {
      arguments.scheduler = value;
      CheckScheduler(arguments.scheduler);
    } else if (value == "table" || value == "json") {
      arguments.is_json = value == "json";
    } else {
      EndUsage(fmt::format("--format: '{}' is neither table nor json", value));
    }
  }
  return arguments;
}

// ---- The machine ----

struct Measured {
  double median;
  double low;
  double high;
};

Measured MeasureHere(const std::string& scheduler, const char* spec, unsigned workers) {
  constexpr int kRounds = 15;
  constexpr std::uint64_t kRoundNs = 20'000'000;
  Contender contender(scheduler, spec, workers);
  contender.RunRound(kRoundNs);
  for (int round = 0; round < kRounds; ++round) {
    contender.Measure(kRoundNs);
  }
  std::vector<double> ns = contender.NsPerOperation();
  const auto [low, high] = std::ranges::minmax(ns);
  return {.median = stats::Median(std::move(ns)), .low = low, .high = high};
}

void PrintCosts(const Costs& costs, const std::vector<double>& transfers, bool measured_here) {
  const auto [least, most] = std::ranges::minmax(transfers);
  fmt::print(
      "Simulated: each number in a row of a table is predicted, for equal cores of this kind; the "
      "shares are of the time\n"
      "of all workers. Lines below a table compare it with this machine.\n");
  fmt::print(
      "measured {}, ns: hit {:.2f}, locked operation {:.2f}, fence {:.2f}, transfer of a cache "
      "line {:.1f} [{:.1f} .. {:.1f}],\n"
      "  pause {:.1f}, clock {:.1f}, futex call {:.0f}, wake {:.0f}, until the woken thread runs "
      "{:.0f},\n"
      "  membarrier {:.0f}, and {:.0f} for the other core;\n"
      "  plain work of a task {:.1f}, creation of a fiber {:.1f}, its run {:.1f}, a channel's "
      "operation {:.1f}, a fork {:.1f},\n  a resume {:.1f}, and {:.1f}, {:.1f}, {:.1f} on a stack "
      "that was used {}, {}, {} turns before\n",
      measured_here ? "here" : "elsewhere", costs.hit, costs.locked, costs.fence, costs.transfer,
      least, most, costs.pause, costs.clock, costs.call, costs.wake, costs.wake_latency,
      costs.heavy_fence, costs.interrupt, costs.task, costs.create, costs.start, costs.sync,
      costs.fork, costs.resume[0], costs.resume[1], costs.resume[2], costs.resume[3],
      Costs::kResumeTurns[1], Costs::kResumeTurns[2], Costs::kResumeTurns[3]);
  fmt::print(
      "assumed: {}; a line serves a reader in {:.0f} ns, each further core adds {:.0f} ns to "
      "membarrier\n\n",
      costs.cluster == 0 ? "all cores share a cache"
                         : fmt::format("{:.0f} cores share a cache, a transfer between two "
                                       "caches takes {:.1f} times as long",
                                       costs.cluster, costs.far),
      costs.readers_queue, costs.interrupt_core);
}

// ---- One workload ----

std::string PlacesText(const Prediction& prediction) {
  std::string text;
  for (const sim_scaling::HotPlace& place : prediction.hottest) {
    if (place.share >= 0.01) {
      text +=
          fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", place.place, 100 * place.share);
    }
  }
  return text;
}

std::string AgreementText(const Measured& measured, double predicted_ns) {
  constexpr double kAgreement = 0.2;
  const double ratio = measured.median / predicted_ns;  // of throughputs: predicted / measured
  return fmt::format("predicted / measured {:.2f}: {} 20 %", ratio,
                     std::abs(ratio - 1) <= kAgreement ? "within" : "NOT within");
}

void PrintHeader(const ScalingWorkload& workload) {
  fmt::print("{}: M {}/s\n", workload.spec, workload.operation);
  fmt::print(
      "  cores  predicted [rounds]          speed-up    steady  speed-up   work  transfer  search  "
      " "
      "idle  waits for lines most at\n");
}

// The operations of a workload that `smaller` does not have: without the start and the end of a
// round. The time of rounds may vary by more than these take: then `ns` is not above 0.
struct Steady {
  double ns;
  double one_core_ns;  // 0: not simulated
};

std::string SpeedUpText(double one_core_ns, double ns) {
  return one_core_ns <= 0 || ns <= 0 ? "-" : fmt::format("{:.2f}", one_core_ns / ns);
}

void PrintRow(unsigned cores, const Prediction& prediction, double one_core_ns,
              const Steady& steady) {
  const auto throughput = [](double ns) { return 1000 / ns; };
  const std::string predicted =
      fmt::format("{:.2f} [{:.2f} .. {:.2f}]", throughput(prediction.ns_per_operation),
                  throughput(prediction.slowest_ns), throughput(prediction.fastest_ns));
  fmt::print("  {:5}  {:26}  {:>8}  {:>8}  {:>8}  {:3.0f} %  {:6.0f} %  {:4.0f} %  {:3.0f} %  {}\n",
             cores, predicted, SpeedUpText(one_core_ns, prediction.ns_per_operation),
             steady.ns <= 0 ? "-" : fmt::format("{:.2f}", throughput(steady.ns)),
             SpeedUpText(steady.one_core_ns, steady.ns), 100 * prediction.work,
             100 * prediction.transfer, 100 * prediction.search, 100 * prediction.idle,
             PlacesText(prediction));
}

std::string MeasuredText(unsigned cores, const Measured& measured, double predicted_ns) {
  return fmt::format("{} core{} measured here: {:.2f} [{:.2f} .. {:.2f}]; {}", cores,
                     cores == 1 ? "" : "s", 1000 / measured.median, 1000 / measured.high,
                     1000 / measured.low, AgreementText(measured, predicted_ns));
}

void PrintJson(const ScalingWorkload& workload, unsigned cores, const Prediction& prediction,
               const Steady& steady, const std::optional<Measured>& measured) {
  fmt::print(
      "{{\"workload\":\"{}\",\"cores\":{},\"predicted_ns\":{:.3f},\"predicted_low_ns\":{:.3f},"
      "\"predicted_high_ns\":{:.3f},\"steady_ns\":{:.3f},\"predicted_work\":{:.4f},"
      "\"predicted_transfer\":{:.4f},\"predicted_search\":{:.4f},\"predicted_idle\":{:.4f}",
      workload.spec, cores, prediction.ns_per_operation, prediction.fastest_ns,
      prediction.slowest_ns, steady.ns, prediction.work, prediction.transfer, prediction.search,
      prediction.idle);
  if (measured) {
    fmt::print(",\"measured_ns\":{:.3f},\"measured_low_ns\":{:.3f},\"measured_high_ns\":{:.3f}",
               measured->median, measured->low, measured->high);
  }
  fmt::print("}}\n");
}

// What this machine takes with as many workers as it has CPUs, and with one.
struct MeasuredWorkload {
  ScalingWorkload workload;
  std::vector<std::pair<unsigned, Measured>> by_cores;

  std::optional<Measured> With(unsigned cores) const {
    for (const auto& [measured_cores, measured] : by_cores) {
      if (measured_cores == cores) {
        return measured;
      }
    }
    return std::nullopt;
  }
};

// Before and after each measurement, the transfer of a cache line: the host may move a virtual CPU
// meanwhile.
MeasuredWorkload MeasureWorkload(const ScalingWorkload& workload, const Arguments& arguments,
                                 std::vector<double>& transfers) {
  const unsigned cpus = std::min(2U, platform::AvailableCpus());
  MeasuredWorkload result{.workload = workload, .by_cores = {}};
  for (const unsigned cores : arguments.cores) {
    if (cores <= cpus) {
      transfers.push_back(scaling::TransferNs());
      result.by_cores.emplace_back(cores, MeasureHere(arguments.scheduler, workload.spec, cores));
      transfers.push_back(scaling::TransferNs());
    }
  }
  return result;
}

void PredictAndCompare(const MeasuredWorkload& measured, const Arguments& arguments, Costs costs) {
  costs.fork += measured.workload.fork_work_ns;
  double one_core_ns = 0;
  Steady steady{.ns = 0, .one_core_ns = 0};
  std::vector<std::string> agreements;
  if (!arguments.is_json) {
    PrintHeader(measured.workload);
  }
  for (const unsigned cores : arguments.cores) {
    const Prediction prediction =
        sim_scaling::Simulate(costs, measured.workload.spec, cores, arguments.scheduler);
    const Prediction smaller =
        sim_scaling::Simulate(costs, measured.workload.smaller, cores, arguments.scheduler);
    steady.ns =
        (prediction.RoundNs() - smaller.RoundNs()) / (prediction.operations - smaller.operations);
    const std::optional<Measured> here = measured.With(cores);
    if (arguments.is_json) {
      PrintJson(measured.workload, cores, prediction, steady, here);
      continue;
    }
    if (cores == 1) {
      one_core_ns = prediction.ns_per_operation;
      steady.one_core_ns = steady.ns;
    }
    PrintRow(cores, prediction, one_core_ns, steady);
    if (here) {
      agreements.push_back(MeasuredText(cores, *here, prediction.ns_per_operation));
    }
    std::fflush(stdout);
  }
  for (const std::string& agreement : agreements) {
    fmt::print("  {}\n", agreement);
  }
  if (!arguments.is_json) {
    fmt::print("\n");
  }
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  using namespace schedbench;
  const tests::Arguments arguments = tests::ParseArguments(argc, argv);
  std::vector<double> transfers;
  std::vector<tests::MeasuredWorkload> measured;
  sim_scaling::Costs costs;
  if (arguments.costs) {
    costs = *arguments.costs;
    transfers.push_back(costs.transfer);
    for (const tests::ScalingWorkload& workload : arguments.workloads) {
      measured.push_back({.workload = workload, .by_cores = {}});
    }
  } else {
    std::vector<sim_scaling::Costs> calibrations{scaling::Calibrate(transfers)};
    for (const tests::ScalingWorkload& workload : arguments.workloads) {
      measured.push_back(tests::MeasureWorkload(workload, arguments, transfers));
      calibrations.push_back(scaling::Calibrate(transfers));
    }
    costs = scaling::MedianOf(calibrations);
    costs.transfer = stats::Median(transfers);
  }
  costs.cluster = arguments.cluster.value_or(costs.cluster);
  if (!arguments.is_json) {
    tests::PrintCosts(costs, transfers, !arguments.costs);
  }
  for (const tests::MeasuredWorkload& workload : measured) {
    tests::PredictAndCompare(workload, arguments, costs);
  }
}

// What the harness costs each workload: the rounds of a run as `schedbench run` measures them, with its watchdog and its readings of
// clocks and counters, beside rounds of the same workload without any of that, in processes that take turns.
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "stats/order_statistics.hpp"
#include "tests/bench/contender.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests {

namespace {

constexpr int kPairs = 21;
constexpr int kRounds = 5;
constexpr std::uint32_t kWarmup = 2;
constexpr std::uint32_t kWorkers = 2;

std::string ParametersOf(const registry::WorkloadEntry& workload) {
  for (const registry::Preset& preset : workload.presets) {
    if (preset.name == "small") {
      return std::string(preset.parameters);
    }
  }
  return "";
}

double WithoutHarness(const std::string& workload) {
  const registry::WorkloadEntry& entry = *registry::FindWorkload(workload);
  const std::string parameters = ParametersOf(entry);
  Contender contender("fast", parameters.empty() ? workload : workload + ":" + parameters,
                      kWorkers);
  for (std::uint32_t round = 0; round < kWarmup; ++round) {
    contender.RunRound();
  }
  for (int round = 0; round < kRounds; ++round) {
    contender.Measure();
  }
  return stats::Median(contender.NsPerOperation());
}

double WithHarness(const std::string& workload) {
  const registry::WorkloadEntry& entry = *registry::FindWorkload(workload);
  const registry::SchedulerEntry& fast = *registry::FindScheduler("fast");
  harness::RunPlan plan{.scheduler = &fast,
                        .config = config::Settings(fast.schema()),
                        .workload = &entry,
                        .parameters = config::Settings(entry.schema()),
                        .rounds = kRounds,
                        .warmup = kWarmup,
                        .seed = 1,
                        .timeout = std::chrono::seconds(60)};
  plan.config.Set("workers", std::uint64_t{kWorkers}, {});
  registry::ApplyPreset(entry, "small", plan.parameters);
  const harness::Outcome outcome = harness::RunInterruptibly(
      plan, [plan](harness::Recorder& recorder, harness::WatchPoint& watch) {
        return harness::ExecutePlan(
            plan, recorder, [](auto...) {}, watch);
      });
  if (outcome.ending != harness::Ending::kComplete) {
    fmt::print(stderr, "error: {}: {}\n", workload, outcome.result.failure);
    std::_Exit(4);
  }
  std::vector<double> ns;
  for (const harness::Round& round : outcome.result.rounds) {
    ns.push_back(static_cast<double>(round.wall_ns) / static_cast<double>(round.operations));
  }
  return stats::Median(ns);
}

double FigureOf(std::string_view mode, std::string_view workload) {
  const std::string command = fmt::format(
      "'{}' {} {}", std::filesystem::read_symlink("/proc/self/exe").string(), mode, workload);
  const std::unique_ptr<FILE, decltype(&pclose)> output(popen(command.c_str(), "r"), &pclose);
  double ns = 0;
  if (output == nullptr || std::fscanf(output.get(), "%lf", &ns) != 1) {
    fmt::print(stderr, "error: no figure from: {}\n", command);
    std::exit(1);
  }
  return ns;
}

void PrintRatio(std::string_view workload) {
  std::vector<double> logs;
  std::vector<double> without;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool first = pair % 2 == 0;
    const double one = FigureOf(first ? "--without" : "--with", workload);
    const double other = FigureOf(first ? "--with" : "--without", workload);
    logs.push_back(std::log(first ? other / one : one / other));
    without.push_back(first ? one : other);
  }
  const auto interval = stats::MedianConfidenceInterval(logs);
  fmt::print("{:<26} {:12.1f}   {:.3f} [{:.3f} .. {:.3f}]\n", workload, stats::Median(without),
             std::exp(stats::Median(logs)), std::exp(interval->low), std::exp(interval->high));
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--without") {
    fmt::print("{:.6f}\n", WithoutHarness(argv[2]));
    return 0;
  }
  if (argc == 3 && std::string_view(argv[1]) == "--with") {
    fmt::print("{:.6f}\n", WithHarness(argv[2]));
    return 0;
  }
  fmt::print(
      "What the harness costs `fast` with {} workers: ns per operation without it, and how many "
      "times as long it takes with it;\nmedian of {} pairs of {} rounds of preset=small, with the "
      "95 % interval\n\n{:<26} {:>12}   with the harness\n",
      kWorkers, kPairs, kRounds, "workload", "without");
  for (const registry::WorkloadEntry* workload : registry::Workloads()) {
    if (argc == 1 || std::string_view(argv[1]) == workload->name) {
      PrintRatio(workload->name);
    }
  }
  return 0;
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  return schedbench::tests::Main(argc, argv);
}

#include "tests/bench/cost_of_counting.hpp"

#include "stats/order_statistics.hpp"
#include "tests/bench/contender.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::tests {

using simulation::Contender;

namespace {

constexpr int kPasses = 15;
constexpr int kRoundsOfAPass = 5;

// The builds, the one that counts least first. All lie in the folder of this program.
constexpr std::array kBuilds = {"bench_schedulers_uncounted", "bench_schedulers_idle_counts",
                                "bench_schedulers"};
constexpr std::array kCountedWorkloads = {"pingpong", "yield", "spawn_join",
                                          "spawn_join:from=outside"};

double OneFigure(const std::string& build, const std::string& workload, int workers) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string command =
      fmt::format("'{}' --metric fast '{}' {}", (folder / build).string(), workload, workers);
  const std::unique_ptr<FILE, decltype(&pclose)> output(popen(command.c_str(), "r"), &pclose);
  double ns = 0;
  if (output == nullptr || std::fscanf(output.get(), "%lf", &ns) != 1) {
    fmt::print(stderr, "error: no metric from: {}\n", command);
    std::exit(1);
  }
  return ns;
}

// Of the time of the second to that of the first, with its 95 % interval.
std::string Ratio(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < first.size(); ++i) {
    logs.push_back(std::log(second[i] / first[i]));
  }
  const auto interval = stats::MedianConfidenceInterval(logs);
  return fmt::format("{:.3f} [{:.3f} .. {:.3f}]", std::exp(stats::Median(logs)),
                     std::exp(interval->low), std::exp(interval->high));
}

}  // namespace

void PrintCostOfCounting() {
  fmt::print(
      "What counting costs `fast`: ns per operation, median of {} interleaved passes of {} rounds; "
      "how many times\n"
      "as long it takes with the counts that WaitIdle relies on, and with all counters, with the "
      "95 % interval\n\n",
      kPasses, kRoundsOfAPass);
  fmt::print("{:<25} W  {:>9}   {:<24}   {}\n", "workload", "uncounted", "counts of WaitIdle",
             "all counters");
  for (const char* const workload : kCountedWorkloads) {
    for (const int workers : {1, 2}) {
      std::array<std::vector<double>, kBuilds.size()> ns;
      for (int pass = 0; pass < kPasses; ++pass) {
        for (std::size_t i = 0; i < kBuilds.size(); ++i) {
          const std::size_t build = (i + static_cast<std::size_t>(pass)) % kBuilds.size();
          ns[build].push_back(OneFigure(kBuilds[build], workload, workers));
        }
      }
      fmt::print("{:<25} {}  {:9.1f}   {:<24}   {}\n", workload, workers, stats::Median(ns[0]),
                 Ratio(ns[0], ns[1]), Ratio(ns[0], ns[2]));
    }
  }
}

void PrintOneFigure(const std::string& scheduler_spec, const std::string& workload_spec,
                    const std::string& workers) {
  Contender contender(scheduler_spec, workload_spec, std::stoull(workers));
  contender.RunRound();
  for (int round = 0; round < kRoundsOfAPass; ++round) {
    contender.Measure();
  }
  fmt::print("{:.3f}\n", stats::Median(contender.NsPerOperation()));
}

}  // namespace schedbench::tests

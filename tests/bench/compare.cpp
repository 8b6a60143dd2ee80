// What a comparison is worth on this machine, on real rounds of real schedulers in real processes:
// how often it sees a difference where there is none, how often one of a known size, and what its
// protocol takes of a round. Shown, never tested: these are numbers of a machine. Argument:
// comparisons of each kind (40).
#include "cli/main.hpp"
#include "harness/agent/client.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/experiment/measure.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "stats/order_statistics.hpp"
#include "stats/suspicion.hpp"
#include "tests/bench/slowed.hpp"
#include "tests/stats/samples.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests {

namespace {

using harness::Verdict;

const std::vector<std::string> kAgent{"/proc/self/exe", "agent"};

harness::Alternative Slowed(const std::string& name, std::uint32_t percent) {
  return {.name = name,
          .command = kAgent,
          .scheduler = std::string(kSlowedScheduler),
          .config = fmt::format(R"({{"slower_percent": {}}})", percent)};
}

harness::ComparisonPlan PlanOf(harness::Alternative second, std::string_view workload,
                               std::string parameters, std::uint64_t seed) {
  harness::ComparisonPlan plan;
  plan.alternatives = {Slowed("first", 0), std::move(second)};
  plan.workloads = {{.entry = registry::FindWorkload(workload),
                     .name = std::string(workload),
                     .parameters = std::move(parameters)}};
  plan.seed = seed;
  plan.limit = std::chrono::minutes(1);
  return plan;
}

// What the comparisons of a kind have said.
struct Tally {
  std::uint32_t comparisons = 0;
  std::uint32_t faster = 0;      // of throughput
  std::uint32_t slower = 0;      // likewise
  std::uint32_t any = 0;         // comparisons in which any metric has a verdict of a difference
  std::uint32_t unmeasured = 0;  // that have no interval: something failed
  std::vector<double> ratios;    // of throughput
};

bool SaysDifference(const harness::ComparedRow& row) {
  return row.verdict && *row.verdict != Verdict::kSame && *row.verdict != Verdict::kInconclusive;
}

void Count(const harness::Comparison& comparison, Tally& tally) {
  ++tally.comparisons;
  tally.any += std::ranges::any_of(comparison.rows, &SaysDifference) ? 1 : 0;
  for (const harness::ComparedRow& row : comparison.rows) {
    if (row.alternative == 1 && row.metric->name == "throughput") {
      if (!row.ratio) {
        ++tally.unmeasured;
        return;
      }
      tally.ratios.push_back(row.ratio->ratio);
      tally.faster += SaysDifference(row) && row.ratio->ratio > 1 ? 1 : 0;
      tally.slower += SaysDifference(row) && row.ratio->ratio < 1 ? 1 : 0;
    }
  }
}

void Print(std::string_view kind, const Tally& tally) {
  if (tally.ratios.empty()) {
    fmt::print("{:<34} {:>4}: nothing was measured\n", kind, tally.comparisons);
    return;
  }
  const auto [least, greatest] = std::ranges::minmax(tally.ratios);
  fmt::print("{:<34} {:>4} {:>7} {:>7} {:>11} {:>7}   {:.3f} [{:.3f} .. {:.3f}]\n", kind,
             tally.comparisons, tally.faster, tally.slower, tally.any, tally.unmeasured,
             stats::Median(tally.ratios), least, greatest);
  std::fflush(stdout);
}

// Comparisons of `first` percent against `percent`, each with a seed of its own.
void Compare(std::string_view kind, std::uint32_t percent, std::string_view workload,
             const std::string& parameters, std::uint32_t comparisons) {
  Tally tally;
  for (std::uint32_t i = 0; i < comparisons; ++i) {
    const harness::ComparisonPlan plan =
        PlanOf(Slowed("second", percent), workload, parameters, i + 1);
    const harness::ExperimentData data = harness::Measure(
        harness::ExperimentOf(plan),
        {.progress = [](const harness::ExperimentProgress&) {}, .cancelled = [] { return false; }});
    Count(harness::Analyse(plan, data, {.of_all = 0.02}), tally);
  }
  Print(kind, tally);
}

// The share of a round that is neither the round nor its preparation: the request, the reply, and
// reading all counters.
void PrintProtocol() {
  constexpr std::uint32_t kRounds = 20;
  constexpr std::chrono::minutes kLimit{1};
  harness::AgentClient agent(kAgent);
  agent.Ask<harness::OpenReply>(
      harness::OpenRequest{.scheduler = std::string(kSlowedScheduler),
                           .workload = std::string(kBusyWorkload),
                           .parameters = R"({"tasks": 2, "yields": 1, "steps": 68000000})"},
      kLimit);
  std::vector<double> lengths;
  std::vector<double> overheads;
  for (std::uint32_t i = 0; i <= kRounds; ++i) {
    const std::uint64_t start = platform::NowNs();
    const auto reply = agent.Ask<harness::RoundReply>(harness::RoundRequest{"a round"}, kLimit);
    const auto whole = static_cast<double>(platform::NowNs() - start);
    if (i > 0) {  // the first warms up
      lengths.push_back(static_cast<double>(reply.wall_ns));
      overheads.push_back(whole - static_cast<double>(reply.wall_ns));
    }
  }
  agent.Ask<harness::CloseReply>(harness::CloseRequest{}, kLimit);
  const double length = stats::Median(lengths);
  const double overhead = stats::Median(overheads);
  fmt::print("protocol: {:.0f} us besides a round of {:.1f} ms, {:.2f} % (medians of {} rounds)\n",
             overhead / 1e3, length / 1e6, 100 * overhead / length, kRounds);
}

// How often the interval of 95 % holds the median of simulated series, as it is and as the series'
// own dependence makes it.
void PrintCoverage(std::string_view kind, std::size_t n, double median,
                   const std::function<std::vector<double>(std::mt19937_64&)>& draw) {
  constexpr int kSeries = 5000;
  std::mt19937_64 random(1);
  int plain = 0;
  int widened = 0;
  for (int i = 0; i < kSeries; ++i) {
    const std::vector<double> series = draw(random);
    const auto holds = [&](double dependence) {
      const auto interval = stats::MedianConfidenceInterval(series, 0.95, dependence);
      return interval->low <= median && median <= interval->high;
    };
    plain += holds(0) ? 1 : 0;
    widened += holds(stats::Dependence(series)) ? 1 : 0;
  }
  fmt::print("{:<34} {:>4} {:>9.1f} % {:>9.1f} %\n", kind, n, 100.0 * plain / kSeries,
             100.0 * widened / kSeries);
}

void PrintCoverages() {
  fmt::print("\n{:<34} {:>4} {:>11} {:>11}\n", "coverage, simulated series of", "", "plain",
             "widened");
  for (const std::size_t n : {20U, 40U}) {
    PrintCoverage("independent skewed values", n, std::log(2),
                  [n](std::mt19937_64& random) { return stats::SkewedSample(n, random); });
    for (const double correlation : {0.3, 0.5, 0.7}) {
      PrintCoverage(
          fmt::format("values that keep {:.1f} of the last", correlation), n, 0,
          [&](std::mt19937_64& random) { return stats::DriftingSample(n, correlation, random); });
    }
  }
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  using namespace schedbench;
  if (argc > 1 && std::string_view(argv[1]) == "agent") {
    return cli::Main(argc, argv);
  }
  const auto comparisons =
      argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 40U;
  tests::PrintProtocol();
  tests::PrintCoverages();
  fmt::print("\n{:<34} {:>4} {:>7} {:>7} {:>11} {:>7}   {}\n", "comparisons of throughput", "",
             "faster", "slower", "any metric", "none", "ratio, median and range");
  tests::Compare("fast against itself, pingpong", 0, "pingpong", R"({"rounds": 1000})",
                 comparisons);
  tests::Compare("fast against itself, yield", 0, "yield", R"({"yields": 100})", comparisons);
  tests::Compare("fast against itself, busy", 0, tests::kBusyWorkload, "{}", comparisons);
  tests::Compare("against 5 % more work, busy", 5, tests::kBusyWorkload, "{}", comparisons);
  tests::Compare("against 20 % more work, busy", 20, tests::kBusyWorkload, "{}", comparisons);
  return 0;
}

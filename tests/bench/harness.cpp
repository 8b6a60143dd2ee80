// What the harness costs each workload: rounds as `schedbench run` measures them, with readings of
// clocks and counters before and after, and rounds without them take turns in one process, on the
// same scheduler and the same workload. The watchdog runs alongside both; its share of the CPU time
// is printed. Both wait as long before a round begins: what a round finds, such as workers that
// have parked, depends on that.
#include "base/random_choice.hpp"
#include "base/spin_wait.hpp"
#include "harness/live_run.hpp"
#include "harness/session.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"
#include "stats/order_statistics.hpp"

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

constexpr std::uint64_t kWorkers = 2;
constexpr int kWarmup = 4;
// A workload is measured until its interval is narrow enough to show 1 %, or until the time is
// over.
constexpr std::size_t kLeastPairs = 25;
constexpr std::size_t kPairsBetweenLooks = 25;
constexpr double kHalfWidth = 0.004;
constexpr std::chrono::seconds kLongest{20};

struct Cost {
  std::vector<double> ns_without;  // per operation
  std::vector<double> log_ratios;  // of the rounds with the harness to those without, pair by pair
  std::string failure;
};

double RoundWithout(harness::Session& session, std::uint64_t pause_ns, std::string& failure) {
  registry::IWorkload& workload = session.Workload();
  workload.Prepare();
  for (const std::uint64_t from = platform::NowNs(); platform::NowNs() - from < pause_ns;) {
    CpuRelax();
  }
  const std::uint64_t start = platform::NowNs();
  const std::uint64_t operations = workload.Run(session.Scheduler());
  const std::uint64_t wall_ns = platform::NowNs() - start;
  session.Scheduler().WaitIdle();
  if (std::string wrong = workload.Verify(); !wrong.empty()) {
    failure = std::move(wrong);
  }
  return static_cast<double>(wall_ns) / static_cast<double>(operations);
}

// `pause_ns`: what the harness does outside of the timed part took so long.
double RoundWith(harness::Session& session, std::uint64_t& pause_ns) {
  const std::uint64_t start = platform::NowNs();
  const auto reading = session.Measure("round").reading;
  pause_ns = platform::NowNs() - start - reading.wall_ns;
  return static_cast<double>(reading.wall_ns) / static_cast<double>(reading.operations);
}

bool IsNarrow(const std::vector<double>& logs) {
  if (logs.size() < kLeastPairs || logs.size() % kPairsBetweenLooks != 0) {
    return false;
  }
  const auto interval = stats::MedianConfidenceInterval(logs);
  return interval->high - interval->low <= 2 * kHalfWidth;
}

void Measure(harness::Session& session, Cost& cost) {
  std::uint64_t pause_ns = 0;
  for (int round = 0; round < kWarmup; ++round) {
    RoundWith(session, pause_ns);
    RoundWithout(session, pause_ns, cost.failure);
  }
  RandomChoice order(1);
  const auto deadline = std::chrono::steady_clock::now() + kLongest;
  while (cost.failure.empty() && !IsNarrow(cost.log_ratios) &&
         std::chrono::steady_clock::now() < deadline) {
    const bool with_first = order.Below(2) == 0;
    const double early = with_first ? RoundWith(session, pause_ns) : 0;
    const double without = RoundWithout(session, pause_ns, cost.failure);
    const double with = with_first ? early : RoundWith(session, pause_ns);
    cost.ns_without.push_back(without);
    cost.log_ratios.push_back(std::log(with / without));
  }
}

int PrintRow(const std::string& name) {
  const registry::WorkloadEntry& workload = *registry::FindWorkload(name);
  const registry::SchedulerEntry& fast = *registry::FindScheduler("fast");
  harness::RunPlan plan{.scheduler = &fast,
                        .config = config::Settings(fast.schema()),
                        .workload = &workload,
                        .parameters = config::Settings(workload.schema()),
                        .seed = 1,
                        .timeout = std::chrono::seconds(60)};
  plan.config.Set("workers", kWorkers, {});
  registry::ApplyPreset(workload, "small", plan.parameters);
  Cost cost;
  const std::uint64_t start = platform::NowNs();
  const harness::Outcome outcome = harness::RunInterruptibly(
      plan, [&plan, &cost](harness::Recorder&, harness::WatchPoint& watch) {
        harness::Session session(plan, watch);
        Measure(session, cost);
        session.Close();
        return cost.failure;
      });
  if (outcome.ending != harness::Ending::kComplete) {
    fmt::print(stderr, "error: {}: {}\n", name, outcome.result.failure);
    std::fflush(stderr);
    std::_Exit(4);
  }
  // This thread did nothing but watch.
  const double watchdog = static_cast<double>(platform::ThreadCpuNs(platform::KernelThreadId())) /
                          static_cast<double>(platform::NowNs() - start);
  const auto interval = stats::MedianConfidenceInterval(cost.log_ratios);
  fmt::print("{:<20} {:>12.1f} {:>8}   {:+.2f} % [{:+.2f} % to {:+.2f} %]   {:.3f} %\n", name,
             stats::Median(cost.ns_without), cost.log_ratios.size(),
             100 * std::expm1(stats::Median(cost.log_ratios)),
             interval ? 100 * std::expm1(interval->low) : -INFINITY,
             interval ? 100 * std::expm1(interval->high) : INFINITY, 100 * watchdog);
  return 0;
}

int Main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--row") {
    return PrintRow(argv[2]);
  }
  fmt::print(
      "What the harness costs `fast` with {} workers, preset=small: ns per operation without it; "
      "how "
      "much longer a round\ntakes with it, median of the pairs with the 95 % interval; and the "
      "watchdog's share of one CPU\n\n{:<20} {:>12} {:>8}   {:<29} {}\n",
      kWorkers, "workload", "without", "pairs", "with the harness", "watchdog");
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const registry::WorkloadEntry* workload : registry::Workloads()) {
    if (argc > 1 && std::string_view(argv[1]) != workload->name) {
      continue;
    }
    std::fflush(stdout);
    // Each in a process of its own: what one leaves behind does not disturb the next.
    if (std::system(fmt::format("'{}' --row {}", self, workload->name).c_str()) != 0) {
      return 4;
    }
  }
  return 0;
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  return schedbench::tests::Main(argc, argv);
}

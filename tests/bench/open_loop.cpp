// open_loop on `fast` with one worker, compared with what theory says of a queue with one server.
// Shown, never tested. Arguments: mean services in microseconds (20 100).
#include "config/settings.hpp"
#include "harness/summary.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "stats/order_statistics.hpp"
#include "tests/workloads/open_loop/queue_theory.hpp"
#include "tests/workloads/open_loop/virtual_queue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests {

namespace {

using workloads::DrawnRequest;
using workloads::ServiceLaw;

constexpr std::uint64_t kSeed = 1;
constexpr std::uint32_t kRequests = 250;  // of a round: short, so that many find the machine quiet
constexpr std::uint32_t kSparseRequests = 101;
constexpr double kPointNs = 4e9;
constexpr std::uint64_t kFewestRounds = 11;
constexpr std::uint64_t kWarmup = 2;

struct Point {
  ServiceLaw service;
  std::uint64_t service_ns;
  double load;

  workloads::LoadLaws Laws() const {
    return {.rate = load * 1e9 / static_cast<double>(service_ns),
            .service = service,
            .service_ns = service_ns};
  }

  // Mean latency in the long run.
  double TheoryNs() const {
    return static_cast<double>(service_ns) *
           (service == ServiceLaw::kExponential ? ExponentialMean(load) : ConstantMean(load));
  }
};

// The workload and one worker to do it.
class Server {
 public:
  Server(const Point& point, std::uint32_t requests)
      : entry_(*registry::FindWorkload("open_loop")) {
    config::Settings parameters(entry_.schema());
    parameters.Set("rate", point.Laws().rate, {});
    parameters.Set("requests", std::uint64_t{requests}, {});
    // Awake all the time: two CPUs are enough for it and one worker.
    parameters.Set("source_spin_ns", std::uint64_t{1'000'000'000}, {});
    parameters.Set("service_ns", point.service_ns, {});
    parameters.Set(
        "service",
        std::string(point.service == ServiceLaw::kExponential ? "exponential" : "constant"), {});
    workload_ = entry_.make(parameters, kSeed);
    const registry::SchedulerEntry& fast = *registry::FindScheduler("fast");
    config::Settings config(fast.schema());
    config.Set("workers", std::uint64_t{1}, {});
    scheduler_ = fast.make(config, kSeed);
  }

  void DoRound() {
    workload_->Prepare();
    workload_->Run(*scheduler_);
    scheduler_->WaitIdle();
    if (const std::string wrong = workload_->Verify(); !wrong.empty()) {
      fmt::print(stderr, "error: wrong answer: {}\n", wrong);
      std::exit(4);
    }
    values_ = workload_->Metrics();
  }

  // Of the last round.
  double operator[](std::string_view name) const {
    const auto metric = std::ranges::find(entry_.metrics, name, &registry::Metric::name);
    return values_[static_cast<std::size_t>(metric - entry_.metrics.begin())];
  }

 private:
  const registry::WorkloadEntry& entry_;
  std::unique_ptr<registry::IWorkload> workload_;
  std::unique_ptr<registry::IScheduler> scheduler_;
  std::vector<double> values_;
};

double MeanLatency(const std::vector<DrawnRequest>& requests, std::uint64_t wake_ns = 0) {
  return workloads::ReadLoad(ServeVirtually(requests, 1, wake_ns), 0).latency.mean;
}

// What a request that finds the worker asleep waits for it, measured where nearly all of them do.
std::uint64_t WakeNs(std::uint64_t service_ns) {
  const Point sparse{.service = ServiceLaw::kConstant, .service_ns = service_ns, .load = 0.02};
  Server server(sparse, kSparseRequests);
  server.DoRound();
  server.DoRound();
  return static_cast<std::uint64_t>(std::max(0.0, server["latency_p50"] - server["service_mean"]));
}

// The same requests, each of them longer.
std::vector<DrawnRequest> Stretched(std::vector<DrawnRequest> requests, double factor) {
  for (DrawnRequest& request : requests) {
    request.service_ns =
        static_cast<std::uint64_t>(static_cast<double>(request.service_ns) * factor);
  }
  return requests;
}

double MeanService(const std::vector<DrawnRequest>& requests) {
  double sum = 0;
  for (const DrawnRequest& request : requests) {
    sum += static_cast<double>(request.service_ns);
  }
  return sum / static_cast<double>(requests.size());
}

std::string WithSpread(const std::vector<double>& sample) {
  if (sample.empty()) {
    return "-";
  }
  const harness::Spread spread = harness::SpreadOf(sample);
  return fmt::format("{:.3f} [{:.3f} .. {:.3f}]", spread.median, spread.low, spread.high);
}

void PrintRow(const Point& point) {
  const std::uint64_t wake_ns = WakeNs(point.service_ns);
  Server server(point, kRequests);
  const double round_ns = kRequests / point.Laws().rate * 1e9;
  const std::uint64_t rounds =
      std::max(kFewestRounds, static_cast<std::uint64_t>(kPointNs / round_ns));
  std::vector<double> drawn_ns;
  std::vector<double> measured_ns;
  std::vector<double> ratios;
  std::vector<double> woken_ratios;
  std::vector<double> stretches;
  std::vector<double> stretched_ratios;
  for (std::uint64_t round = 0; round < kWarmup + rounds; ++round) {
    server.DoRound();
    if (round < kWarmup) {
      continue;
    }
    const auto requests = workloads::DrawLoad(point.Laws(), kRequests, kSeed, round);
    drawn_ns.push_back(MeanLatency(requests));
    measured_ns.push_back(server["latency_mean"]);
    ratios.push_back(measured_ns.back() / drawn_ns.back());
    woken_ratios.push_back(measured_ns.back() / MeanLatency(requests, wake_ns));
    stretches.push_back(server["service_mean"] / MeanService(requests));
    stretched_ratios.push_back(measured_ns.back() /
                               MeanLatency(Stretched(requests, stretches.back()), wake_ns));
  }
  fmt::print(
      "{:<11} {:>4} us {:>3.0f} % {:>7.1f} {:>7.1f} {:>8.1f} {:>6.1f} {:>6}  {:<24} {:<24} "
      "{:>7.3f}  {}\n",
      point.service == ServiceLaw::kExponential ? "exponential" : "constant",
      point.service_ns / 1000, 100 * point.load, point.TheoryNs() / 1e3,
      stats::Median(drawn_ns) / 1e3, stats::Median(measured_ns) / 1e3,
      static_cast<double>(wake_ns) / 1e3, ratios.size(), WithSpread(ratios),
      WithSpread(woken_ratios), stats::Median(stretches), WithSpread(stretched_ratios));
  std::fflush(stdout);
}

void PrintTable(const std::vector<std::uint64_t>& services_us) {
  fmt::print(
      "Mean latency in us: in the long run by theory; of the drawn requests in a queue where "
      "nothing else takes time;\n"
      "measured. Medians over the rounds. wake: what a request waits for a worker that sleeps, "
      "measured at a load of 2 %.\n"
      "ratio: of measured to drawn; to drawn where each request that finds no other at work waits "
      "for `wake` too; and where\n"
      "services take as much longer as they did in that round (service). Medians with their 95 % "
      "intervals.\n\n"
      "{:<11} {:>7} {:>5} {:>7} {:>7} {:>8} {:>6} {:>6}  {:<24} {:<24} {:>7}  {}\n",
      "services", "mean", "load", "theory", "drawn", "measured", "wake", "rounds", "ratio",
      "with wake", "service", "with both");
  for (const ServiceLaw service : {ServiceLaw::kExponential, ServiceLaw::kConstant}) {
    for (const std::uint64_t us : services_us) {
      for (const double load : {0.2, 0.4, 0.6, 0.8}) {
        PrintRow({.service = service, .service_ns = us * 1000, .load = load});
      }
    }
  }
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  std::vector<std::uint64_t> services_us{20, 100};
  if (argc > 1) {
    services_us.clear();
    for (int i = 1; i < argc; ++i) {
      services_us.push_back(std::max(1ULL, std::strtoull(argv[i], nullptr, 10)));
    }
  }
  schedbench::tests::PrintTable(services_us);
}

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/latencies.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <vector>

namespace schedbench::workloads {

namespace {

using executors::SchedulerHint;

struct StarveGlobalParameters {
  // clang-format off
  config::Field<"probes", 200U, config::Range{1U, 10000000U},
      "External submissions, one after the other"> probes;
  config::Field<"saturators", 2U, config::Range{1U, 1024U},
      "Tasks per worker that resubmit themselves without end"> saturators;
  config::Field<"patience", 16U, config::Range{1U, 1000000U}, "Millions of runs of one of these "
      "tasks after which a waiting probe counts as starved"> patience;
  // clang-format on
};

constexpr std::array kStarveGlobalMetrics{
    registry::Metric{"probe_age_mean", "tasks", registry::Better::kLower,
                     "Runs of resubmitting tasks between the submit of a probe and its run: mean"},
    registry::Metric{
        "probe_age_max", "tasks", registry::Better::kLower,
        "Runs of resubmitting tasks between the submit of a probe and its run: maximum"},
    registry::Metric{"probe_latency_p50", "ns", registry::Better::kLower,
                     "Time from the submit of a probe to its run: median"},
    registry::Metric{"probe_latency_p99", "ns", registry::Better::kLower,
                     "Time from the submit of a probe to its run: 99th percentile"},
    registry::Metric{"probe_latency_max", "ns", registry::Better::kLower,
                     "Time from the submit of a probe to its run: maximum"},
};

// Workers whose local queues never run empty, and an external submission now and then, the probe: a
// scheduler that visits the global queue only when it has nothing to run would never run it. One
// operation is one probe.
// Saturators always make progress, so a watchdog does not detect a starving probe. So there is
// `patience`: a saturator that has run this often while one probe waited ends the round. It is
// counted in millions because a worker may lose its CPU after it has picked the probe; other
// workers then run some ten million saturators per second.
class StarveGlobal final : public registry::IWorkload {
 public:
  explicit StarveGlobal(const StarveGlobalParameters& parameters)
      : parameters_(parameters),
        patience_(parameters.patience * std::uint64_t{1000000}),
        results_(parameters.probes) {
  }

  void Prepare() override {
    std::ranges::fill(results_, Result{});
    submitted_.Store(0, memory_order_relaxed);
    ran_.Store(0, memory_order_relaxed);
    stop_.Store(false, memory_order_relaxed);
    for (Saturator& saturator : saturators_) {
      saturator.BeginRound();
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::size_t count = std::size_t{scheduler.ActiveWorkers()} * parameters_.saturators;
    while (saturators_.size() < count) {
      saturators_.emplace_back(*this);
    }
    executor_ = &scheduler;
    saturators_ended_.Add(count);
    for (std::size_t i = 0; i < count; ++i) {
      scheduler.Submit(&saturators_[i], SchedulerHint::UpToYou);
    }
    std::uint64_t probes = 0;
    while (probes < results_.size() && !stop_.Load(memory_order_relaxed)) {
      probe_done_.Add(1);
      probe_.Submit(scheduler);
      ++probes;
      submitted_.Store(probes, memory_order_relaxed);
      probe_done_.Wait();
    }
    stop_.Store(true, memory_order_relaxed);
    saturators_ended_.Wait();
    return probes;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const Result& result = results_[i];
      if (result.starved) {
        return fmt::format("probe {} did not run while {} tasks ran", i, result.age_tasks);
      }
      if (result.runs != 1) {
        return fmt::format("probe {} ran {} times", i, result.runs);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    double sum = 0;
    std::uint64_t most = 0;
    std::vector<std::uint64_t> latencies;
    for (const Result& result : results_) {
      sum += static_cast<double>(result.age_tasks);
      most = std::max(most, result.age_tasks);
      latencies.push_back(result.latency_ns);
    }
    const auto [p50, p99, longest] = MedianP99AndMax(latencies);
    return {sum / static_cast<double>(results_.size()), static_cast<double>(most), p50, p99,
            longest};
  }

 private:
  // The result of a probe; its run writes it.
  struct Result {
    std::uint64_t age_tasks = 0;
    std::uint64_t latency_ns = 0;
    std::uint32_t runs = 0;
    bool starved = false;
  };

  class alignas(kCacheLine) Saturator final : public executors::TaskBase {
   public:
    explicit Saturator(StarveGlobal& owner)
        : owner_(owner) {
    }

    void Run() noexcept override {
      runs_.Store(runs_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
      if (CanProceed()) {
        owner_.executor_->Submit(this, SchedulerHint::UpToYou);
      } else {
        owner_.saturators_ended_.Done();
      }
    }

    // Called between two rounds.
    void BeginRound() noexcept {
      probes_ran_ = 0;
      waited_ = 0;
    }

    std::uint64_t Runs() const noexcept {
      return runs_.Load(memory_order_relaxed);
    }

   private:
    bool CanProceed() noexcept {
      const std::uint64_t probes_ran = owner_.ran_.Load(memory_order_relaxed);
      const bool waits = probes_ran < owner_.submitted_.Load(memory_order_relaxed);
      if (probes_ran != probes_ran_) {
        probes_ran_ = probes_ran;
        waited_ = 0;
      }
      // The first of these runs may have been counted before the probe read the counts.
      if (waits && ++waited_ > owner_.patience_) {
        waited_ = 0;
        owner_.stop_.Store(true, memory_order_relaxed);
      }
      return !owner_.stop_.Load(memory_order_relaxed);
    }

    StarveGlobal& owner_;
    Atomic<std::uint64_t> runs_{0};  // relaxed: a statistic; the scheduler orders its writers
    std::uint64_t probes_ran_ = 0;   // value at the last check
    std::uint64_t waited_ = 0;       // later runs while a probe waited
  };

  // One object for all probes: the next one is submitted after the last has run.
  class Probe final : public executors::TaskBase {
   public:
    explicit Probe(StarveGlobal& owner)
        : owner_(owner) {
    }

    void Submit(executors::IExecutor& executor) noexcept {
      tasks_before_ = owner_.SaturatorRuns();
      submitted_at_ = platform::NowNs();
      executor.Submit(this, SchedulerHint::UpToYou);
    }

    void Run() noexcept override {
      const std::uint64_t now = platform::NowNs();
      const std::uint64_t number = owner_.ran_.Load(memory_order_relaxed);
      Result& result = owner_.results_[number];
      ++result.runs;
      result.latency_ns = now - submitted_at_;
      result.age_tasks = owner_.SaturatorRuns() - tasks_before_;
      // The caller stops saturators only while no probe waits, so a saturator set it.
      result.starved = owner_.stop_.Load(memory_order_relaxed);
      owner_.ran_.Store(number + 1, memory_order_relaxed);
      owner_.probe_done_.Done();
    }

   private:
    StarveGlobal& owner_;
    std::uint64_t tasks_before_ = 0;
    std::uint64_t submitted_at_ = 0;
  };

  // Each saturator has its own counter, so no cache line is written by all workers.
  std::uint64_t SaturatorRuns() const noexcept {
    return std::accumulate(
        saturators_.begin(), saturators_.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Saturator& saturator) { return sum + saturator.Runs(); });
  }

  const StarveGlobalParameters parameters_;
  const std::uint64_t patience_;
  executors::IExecutor* executor_ = nullptr;
  std::deque<Saturator> saturators_;  // the number that the largest scheduler so far needed
  Probe probe_{*this};
  std::vector<Result> results_;
  // Saturators read it at each run; it is written twice for a probe. relaxed: it may be late.
  alignas(kCacheLine) Atomic<std::uint64_t> submitted_{0};  // number of probes
  // Number of probes. relaxed: the probe that writes it reads its own value; others may be late.
  Atomic<std::uint64_t> ran_{0};
  Atomic<bool> stop_{false};  // saturators must end; relaxed: it may be seen late
  alignas(kCacheLine) fibers::WaitGroup probe_done_;
  fibers::WaitGroup saturators_ended_;
};

const registry::RegistrationOf<StarveGlobal, StarveGlobalParameters> kStarveGlobal{{
    .name = "starve_global",
    .doc = "external submissions while the workers' local queues are never empty",
    .operation = "probe",
    .metrics = kStarveGlobalMetrics,
    .presets = {{"smoke", "probes=20"}, {"small", "probes=5000"}, {"full", "probes=100000"}},
    .spawns_vary = true,  // a saturating task submits itself until the probes have run
}};

}  // namespace

}  // namespace schedbench::workloads

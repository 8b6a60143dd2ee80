#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/origin.hpp"
#include "workloads/parts/precise_sleep.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::workloads {

namespace {

struct BurstParameters {
  // clang-format off
  config::Field<"bursts", 50U, config::Range{1U, 1000000U}, "Bursts in a round"> bursts;
  config::Field<"tasks", 300U, config::Range{1U, 1000000U},
      "Fibers that each burst starts at once"> tasks;
  config::Field<"interval_ns", 1000000U, config::Range{0U, 1000000000U},
      "Nanoseconds from one burst to the next"> interval_ns;
  config::Field<"yield_every", 17U, config::Range{0U, 1000000U},
      "One fiber in this many yields once; 0 = none"> yield_every;
  config::Field<"from", Origin::kOutside, config::AnyOf{}, "What starts the fibers: inside (a "
      "fiber, which sleeps between bursts) or outside (a thread that is not a worker)"> from;
  // clang-format on
};

constexpr std::array kBurstMetrics{
    registry::Metric{"burst_p50", "ns", registry::Better::kLower,
                     "Time from when a burst is due until its last fiber has ended: median"},
    registry::Metric{
        "burst_p99", "ns", registry::Better::kLower,
        "Time from when a burst is due until its last fiber has ended: 99th percentile"},
    registry::Metric{"burst_max", "ns", registry::Better::kLower,
                     "Time from when a burst is due until its last fiber has ended: maximum"},
};

// Many fibers at once for parked workers, repeatedly: how soon all workers are awake, and how soon
// the fibers have ended. Bursts begin on time, even if others run. One operation is one fiber.
class Burst final : public registry::IWorkload {
 public:
  // Throws std::runtime_error when the fibers would not fit into RAM.
  explicit Burst(const BurstParameters& parameters)
      : parameters_(parameters),
        bursts_(parameters.bursts),
        runs_(CheckedCount("burst:tasks", "fibers",
                           std::uint64_t{parameters.bursts} * parameters.tasks,
                           Fibers::kBytesPerQueued)) {
  }

  void Prepare() override {
    for (OneBurst& burst : bursts_) {
      burst.left.Store(parameters_.tasks, memory_order_relaxed);
    }
    runs_.assign(runs_.size(), 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(runs_.size());
    if (parameters_.from == Origin::kOutside) {
      const PreciseSleep precise;
      StartBursts(scheduler, [](std::uint64_t due_ns) { platform::SleepUntilNs(due_ns); });
    } else {
      fibers::Go(scheduler,
                 [this, &scheduler] {
                   StartBursts(scheduler, [](std::uint64_t due_ns) {
                     fibers::SleepUntil(fibers::Deadline::At(due_ns));
                   });
                 },
                 {.name = "source"});
    }
    done_.Wait();
    return runs_.size();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i] != 1) {
        return fmt::format("fiber {} of burst {} ran {} times", i % parameters_.tasks,
                           i / parameters_.tasks, runs_[i]);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    std::vector<std::uint64_t> times;
    for (const OneBurst& burst : bursts_) {
      times.push_back(platform::BetweenNs(burst.due_ns, burst.ended_ns));
    }
    const auto [p50, p99, longest] = MedianP99AndMax(times);
    return {p50, p99, longest};
  }

 private:
  struct OneBurst {
    Atomic<std::uint32_t> left{0};  // fibers that have not ended; relaxed: set before they start
    std::uint64_t due_ns = 0;       // written by the source
    std::uint64_t ended_ns = 0;     // written by its last fiber
  };

  template <typename SleepUntil>
  void StartBursts(registry::IScheduler& scheduler, SleepUntil sleep_until) {
    std::uint64_t due_ns = platform::NowNs();
    for (std::size_t number = 0; number < bursts_.size(); ++number) {
      sleep_until(due_ns);
      OneBurst& burst = bursts_[number];
      burst.due_ns = due_ns;  // not the time of its start: a late source counts as waiting
      due_ns += parameters_.interval_ns;
      for (std::uint32_t i = 0; i < parameters_.tasks; ++i) {
        fibers::Go(scheduler,
                   [this, &burst, &runs = runs_[number * parameters_.tasks + i], i] {
                     Fiber(burst, runs, i);
                   },
                   {.name = "burst"});
      }
    }
  }

  void Fiber(OneBurst& burst, std::uint8_t& runs, std::uint32_t number) {
    if (parameters_.yield_every != 0 && number % parameters_.yield_every == 0) {
      fibers::Yield();
    }
    ++runs;
    // acq_rel: pairs with itself in the other fibers: the last one has seen all of them end.
    if (burst.left.FetchSub(1, memory_order_acq_rel) == 1) {
      burst.ended_ns = platform::NowNs();
    }
    done_.Done();
  }

  const BurstParameters parameters_;
  std::vector<OneBurst> bursts_;
  std::vector<std::uint8_t> runs_;  // runs of each fiber
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<Burst, BurstParameters> kBurst{{
    .name = "burst",
    .doc = "bursts of many fibers at once, with pauses between them",
    .operation = "fiber",
    .metrics = kBurstMetrics,
    .ranked_by = "burst_p99",
    .presets = {{"smoke", "bursts=3,tasks=50"},
                {"small", ""},
                {"full", "bursts=1000"},
                {"course", "bursts=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

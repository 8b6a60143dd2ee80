#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/preempt.hpp"
#include "fibers/time/deadline.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/open_load.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct TimersParameters {
  // clang-format off
  config::Field<"sleepers", 1000000U, config::Range{1U, 4000000000U},
      "Fibers, each of which waits for an event with a deadline"> sleepers;
  config::Field<"cancelled_percent", 50U, config::Range{0U, 100U}, "Share of the waits that their "
      "event ends; the deadlines of these are an hour away"> cancelled_percent;
  config::Field<"max_ms", 100U, config::Range{1U, 600000U},
      "The other waits time out, each after a time that is drawn between zero and this"> max_ms;
  // clang-format on
};

constexpr std::array kTimersMetrics{
    registry::Metric{"lateness_p50", "ns", registry::Better::kLower,
                     "Time from a deadline until the fiber that waited for it runs: median"},
    registry::Metric{"lateness_p99", "ns", registry::Better::kLower,
                     "Time from a deadline until the fiber that waited for it runs: 99th "
                     "percentile",
                     kP99Needs},
};

// Very many timers: requests with a timeout, which rarely ends them. Each fiber waits for its own
// event with a deadline. When all have begun, another fiber fires the events of those that are to
// be cancelled. One operation is one wait.
class Timers final : public registry::IWorkload {
 public:
  Timers(const TimersParameters& parameters, std::uint64_t seed)
      : waits_(CheckedCount("timers:sleepers", "sleeping fibers", parameters.sleepers,
                            Fibers::kBytesPerFiber + sizeof(Wait))),
        cancelled_percent_(parameters.cancelled_percent),
        max_ns_(std::uint64_t{parameters.max_ms} * 1000000),
        seed_(seed) {
  }

  void Prepare() override {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      Wait& wait = waits_[i];
      const std::uint64_t random = DeriveSeed(seed_, i);
      wait.is_cancelled = random % 100 < cancelled_percent_;
      wait.sleep_ns = wait.is_cancelled ? kHourNs : DeriveSeed(random, 1) % max_ns_;
      wait.has_fired = false;
      wait.due_ns = 0;
      wait.ended_ns = 0;
      wait.event.Reset();
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    begun_.Add(waits_.size());
    ended_.Add(waits_.size() + 1);
    Fibers::Go(scheduler, [this, &scheduler] {
      for (Wait& wait : waits_) {
        Fibers::Go(scheduler, [this, &wait] {
          begun_.Done();
          Sleep(wait);
          ended_.Done();
        });
      }
      begun_.Wait();
      for (Wait& wait : waits_) {
        if (wait.is_cancelled) {
          wait.event.Fire();
        }
        fibers::PreemptPoint();  // a long loop
      }
      ended_.Done();
    });
    ended_.Wait();
    return waits_.size();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      const Wait& wait = waits_[i];
      if (wait.ended_ns == 0) {
        return fmt::format("fiber {} did not return from its wait", i);
      }
      if (wait.has_fired != wait.is_cancelled) {
        return fmt::format("fiber {}: the wait {}", i,
                           wait.has_fired ? "returned without its event" : "timed out");
      }
      if (!wait.has_fired && wait.ended_ns < wait.due_ns) {
        return fmt::format("fiber {} continued {} ns too early", i, wait.due_ns - wait.ended_ns);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    std::vector<std::uint64_t> late;
    for (const Wait& wait : waits_) {
      if (!wait.has_fired) {
        late.push_back(platform::BetweenNs(wait.due_ns, wait.ended_ns));
      }
    }
    const auto [median, p99, max] = MedianP99AndMax(late);
    return {median, p99};
  }

 private:
  static constexpr std::uint64_t kHourNs = 3'600'000'000'000;

  struct Wait {
    Fibers::Event event;
    std::uint64_t sleep_ns = 0;
    // The fiber writes the rest.
    std::uint64_t due_ns = 0;
    std::uint64_t ended_ns = 0;
    bool is_cancelled = false;
    bool has_fired = false;
  };

  static void Sleep(Wait& wait) noexcept {
    wait.due_ns = platform::NowNs() + wait.sleep_ns;
    wait.has_fired = wait.event.WaitUntil(fibers::Deadline::At(wait.due_ns));
    wait.ended_ns = platform::NowNs();
  }

  std::vector<Wait> waits_;
  const std::uint32_t cancelled_percent_;
  const std::uint64_t max_ns_;
  const std::uint64_t seed_;
  alignas(kCacheLine) Fibers::WaitGroup begun_;
  alignas(kCacheLine) Fibers::WaitGroup ended_;
};

const registry::RegistrationOf<Timers, TimersParameters> kTimers{{
    .name = "timers",
    .doc =
        "very many fibers wait with deadlines; half of the waits end before, the others time out",
    .operation = "wait",
    .metrics = kTimersMetrics,
    .ranked_by = "lateness_p99",
    .presets = {{"smoke", "sleepers=200,max_ms=2"},
                {"small", "sleepers=20000,max_ms=20"},
                {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads

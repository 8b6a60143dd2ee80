#include "config/schema_of.hpp"
#include "platform/memory/memory.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct MillionParameters {
  // clang-format off
  config::Field<"fibers", 1000000U, config::Range{1U, 4000000000U},
      "Fibers that are suspended at the same time"> fibers;
  // clang-format on
};

constexpr std::array kMillionMetrics{
    registry::Metric{"create_time", "ns", registry::Better::kLower,
                     "Time from the start of the first fiber until all are suspended or about to "
                     "be; the first round "
                     "allocates their stacks"},
    registry::Metric{"wake_time", "ns", registry::Better::kLower,
                     "Time from the event that all fibers wait for until the last one has ended"},
    registry::Metric{
        "bytes_per_fiber", "B", registry::Better::kLower,
        "Memory of the process in RAM while all fibers are suspended, divided by their number"},
};

// Very many fibers that wait for one event: the cost of a suspended fiber. One operation is one
// fiber that is started, suspended, resumed and has ended.
class Million final : public registry::IWorkload {
 public:
  explicit Million(const MillionParameters& parameters)
      : steps_(CheckedCount("million:fibers", "suspended fibers", parameters.fibers,
                            Fibers::kBytesPerFiber)) {
  }

  void Prepare() override {
    std::ranges::fill(steps_, 0);
    gate_.Reset();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t start = platform::NowNs();
    begun_.Add(steps_.size());
    ended_.Add(steps_.size());
    Fibers::Go(scheduler, [this, &scheduler] {
      for (std::uint8_t& step : steps_) {
        Fibers::Go(scheduler, [this, &step] {
          ++step;
          begun_.Done();
          gate_.Wait();
          ++step;
          ended_.Done();
        });
      }
    });
    // WaitIdle() is unsuitable: suspended fibers may keep a scheduler busy, by its config. The last
    // fibers, at most one per worker, may not have reached the gate yet.
    begun_.Wait();
    const std::uint64_t suspended = platform::NowNs();
    bytes_per_fiber_ =
        static_cast<double>(platform::ResidentBytes()) / static_cast<double>(steps_.size());
    all_suspended_ = std::ranges::count(steps_, 1) == static_cast<std::ptrdiff_t>(steps_.size());

    const std::uint64_t fired = platform::NowNs();
    // A fiber submits resumed fibers to its local queue. This thread would lock the global queue.
    Fibers::Go(scheduler, [this] { gate_.Fire(); });
    ended_.Wait();
    wake_ns_ = platform::ElapsedNs(fired);
    create_ns_ = suspended - start;
    return steps_.size();
  }

  std::string Verify() override {
    if (!all_suspended_) {
      return "a fiber began to wait, and its step was not visible";
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i] != 2) {
        return fmt::format("fiber {} made {} of 2 steps", i, steps_[i]);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    return {static_cast<double>(create_ns_), static_cast<double>(wake_ns_), bytes_per_fiber_};
  }

 private:
  std::vector<std::uint8_t> steps_;  // steps of each fiber, written by it
  Fibers::Event gate_;
  Fibers::WaitGroup begun_;
  Fibers::WaitGroup ended_;
  bool all_suspended_ = false;
  std::uint64_t create_ns_ = 0;
  std::uint64_t wake_ns_ = 0;
  double bytes_per_fiber_ = 0;
};

const registry::RegistrationOf<Million, MillionParameters> kMillion{{
    .name = "million",
    .doc = "very many fibers are suspended at the same time, then all are resumed",
    .operation = "fiber",
    .metrics = kMillionMetrics,
    // The first round matters: later rounds reuse its stacks.
    .rounds = 1,
    .warmup = 0,
    .presets = {{"smoke", "fibers=1000"}, {"small", "fibers=100000"}, {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads

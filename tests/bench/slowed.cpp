#include "tests/bench/slowed.hpp"

#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests {

namespace {

struct SlowedConfig {
  // clang-format off
  config::Field<"slower_percent", std::uint32_t{0}, config::Range{0U, 1000U}, "How much more work a task of `busy` does"> slower_percent;
  config::Field<"nothing", std::uint32_t{0}, config::Range{0U, 8U}, "Has no effect"> nothing;
  config::Field<"nothing_else", std::uint32_t{0}, config::Range{0U, 8U}, "Has no effect"> nothing_else;
  // clang-format on
};

class Slowed final : public registry::IScheduler {
 public:
  Slowed(std::unique_ptr<registry::IScheduler> scheduler, std::uint32_t percent)
      : scheduler_(std::move(scheduler)),
        percent_(percent) {
  }

  std::uint32_t Percent() const noexcept {
    return percent_;
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    scheduler_->Submit(task, hint);
  }

  void WaitIdle() noexcept override {
    scheduler_->WaitIdle();
  }

  void Stop() noexcept override {
    scheduler_->Stop();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return scheduler_->ReadWorkers();
  }

  metrics::MetricValues ReadPool() const override {
    return scheduler_->ReadPool();
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return scheduler_->ExternalSubmissions();
  }

 private:
  const std::unique_ptr<registry::IScheduler> scheduler_;
  const std::uint32_t percent_;
};

const registry::SchedulerRegistration kSlowed{{
    .name = kSlowedScheduler,
    .doc = "fast, under which busy does more work",
    .schema = &config::SchemaOf<SlowedConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      const registry::SchedulerEntry& fast = *registry::FindScheduler("fast");
      config::Settings defaults(fast.schema());
      registry::ResolveWorkers(defaults);
      return std::make_unique<Slowed>(fast.make(defaults, seed),
                                      settings.As<SlowedConfig>().slower_percent);
    },
}};

struct BusyParameters {
  // clang-format off
  config::Field<"tasks", std::uint32_t{32}, config::Range{1U, 100000U}, "Fibers"> tasks;
  config::Field<"yields", std::uint32_t{40}, config::Range{1U, 100000U}, "Pieces of work of each, with a yield after each"> yields;
  config::Field<"steps", std::uint64_t{5000}, config::Range{std::uint64_t{1}, std::uint64_t{1} << 40U}, "Steps of a chain of multiplications in a piece"> steps;
  // clang-format on
};

class Busy final : public registry::IWorkload {
 public:
  explicit Busy(const BusyParameters& parameters)
      : parameters_(parameters) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t steps =
        parameters_.steps + parameters_.steps * dynamic_cast<Slowed&>(scheduler).Percent() / 100;
    done_.Add(parameters_.tasks);
    for (std::uint32_t task = 0; task < parameters_.tasks; ++task) {
      fibers::Go(scheduler, [this, steps] {
        for (std::uint32_t i = 0; i < parameters_.yields; ++i) {
          Work(steps);
          fibers::Yield();
        }
        done_.Done();
      });
    }
    done_.Wait();
    return std::uint64_t{parameters_.tasks} * parameters_.yields;
  }

  std::string Verify() override {
    return "";
  }

 private:
  // An amount of work, not a time: no clock decides how much a round has.
  static void Work(std::uint64_t steps) noexcept {
    std::uint64_t value = steps;
    for (std::uint64_t i = 0; i < steps; ++i) {
      value = value * 3 + 1;
      asm volatile("" : "+r"(value));  // the compiler must not know what comes out
    }
  }

  const BusyParameters parameters_;
  fibers::WaitGroup done_;
};

const registry::WorkloadRegistration kBusy{{
    .name = kBusyWorkload,
    .doc = "fibers that compute and yield",
    .operation = "piece",
    .schema = &config::SchemaOf<BusyParameters>,
    .make = &registry::MakeWorkload<Busy, BusyParameters>,
}};

}  // namespace

}  // namespace schedbench::tests

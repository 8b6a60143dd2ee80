#include "config/schema_of.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/precise_sleep.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::workloads {

namespace {

struct TrickleParameters {
  // clang-format off
  config::Field<"tasks", 4000U, config::Range{1U, 100000000U}, "External submissions"> tasks;
  config::Field<"interval_ns", 50000U, config::Range{0U, 1000000000U},
      "Nanoseconds from one submission to the next"> interval_ns;
  // clang-format on
};

constexpr std::array kTrickleMetrics{
    registry::Metric{"submit_latency_p50", "ns", registry::Better::kLower,
                     "Time from submit to run: median"},
    registry::Metric{"submit_latency_p99", "ns", registry::Better::kLower,
                     "Time from submit to run: 99th percentile"},
    registry::Metric{"submit_latency_max", "ns", registry::Better::kLower,
                     "Time from submit to run: maximum"},
};

// Tasks that arrive so far apart that workers are parked, or search in vain, when one arrives: the
// cost of readiness in time and in CPU time. Each task is submitted at a fixed time, even if the
// previous ones have not run; a source that lost its CPU catches up. One operation is one task;
// every run reports the CPU time per operation.
class Trickle final : public registry::IWorkload {
 public:
  // Throws std::runtime_error when the tasks would not fit into RAM.
  explicit Trickle(const TrickleParameters& parameters)
      : interval_ns_(parameters.interval_ns),
        tasks_(CheckedCount("trickle:tasks", "tasks", parameters.tasks, sizeof(Task))) {
  }

  void Prepare() override {
    for (Task& task : tasks_) {
      task.done = &done_;
      task.runs = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const PreciseSleep precise;
    done_.Add(tasks_.size());
    std::uint64_t due = platform::NowNs();
    for (Task& task : tasks_) {
      platform::SleepUntilNs(due);
      due += interval_ns_;
      task.submitted_at = platform::NowNs();
      scheduler.Submit(&task, executors::SchedulerHint::UpToYou);
    }
    done_.Wait();
    return tasks_.size();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].runs != 1) {
        return fmt::format("task {} ran {} times", i, tasks_[i].runs);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    std::vector<std::uint64_t> latencies;
    for (const Task& task : tasks_) {
      latencies.push_back(platform::BetweenNs(task.submitted_at, task.ran_at));
    }
    const auto [p50, p99, longest] = MedianP99AndMax(latencies);
    return {p50, p99, longest};
  }

 private:
  struct Task final : executors::TaskBase {
    std::uint64_t submitted_at = 0;
    std::uint64_t ran_at = 0;
    fibers::WaitGroup* done = nullptr;
    std::uint32_t runs = 0;

    void Run() noexcept override {
      ran_at = platform::NowNs();
      ++runs;
      done->Done();
    }
  };

  const std::uint64_t interval_ns_;
  std::vector<Task> tasks_;
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<Trickle, TrickleParameters> kTrickle{{
    .name = "trickle",
    .doc = "external submissions at fixed intervals, one by one",
    .operation = "task",
    .metrics = kTrickleMetrics,
    .ranked_by = "submit_latency_p99",
    .presets = {{"smoke", "tasks=100"}, {"small", "tasks=1000"}, {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads

#include "base/atomic.hpp"
#include "config/schema_of.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/spin_work.hpp"
#include "workloads/parts/task_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct TaskGraphParameters {
  // clang-format off
  config::Field<"pattern", Pattern::kStencil1d, config::AnyOf{}, "Dependences of a task on the "
      "step before: trivial (none), no_comm (the same point), stencil_1d (also both neighbours), "
      "stencil_1d_periodic (in a circle), dom (also the left neighbour), tree (half its number), "
      "fft (also at doubling distances), all_to_all, nearest (`radix` around it), spread (`radix` "
      "at equal distances), random_nearest (a random half of `radix` around it)"> pattern;
  config::Field<"width", 32U, config::Range{1U, 1000000U}, "Tasks of a step"> width;
  config::Field<"steps", 500U, config::Range{1U, 1000000U}, "Steps"> steps;
  config::Field<"grain_ns", 1000U, config::Range{0U, 1000000000U},
      "Nanoseconds of work in each task"> grain_ns;
  config::Field<"radix", 5U, config::Range{1U, 1000000U},
      "Dependences of the patterns nearest, spread and random_nearest"> radix;
  // clang-format on
};

constexpr std::array kTaskGraphMetrics{
    registry::Metric{"granularity", "ns", registry::Better::kLower,
                     "Time of a worker for a task with all overhead: wall time, times workers, "
                     "divided by tasks"},
    registry::Metric{
        "efficiency", "share", registry::Better::kHigher,
        "Share of that time that is work, grain_ns; the granularity at which it is 50 % "
        "is the METG of Task Bench"},
};

// Task Bench: tasks in steps, each with dependences on the previous step. A task starts when the
// last of these has ended. One operation is one task.
class TaskGraphWorkload final : public registry::IWorkload {
 public:
  // Throws std::runtime_error when the graph would not fit into RAM.
  TaskGraphWorkload(const TaskGraphParameters& parameters, std::uint64_t seed)
      : grain_ns_(parameters.grain_ns),
        grain_(parameters.grain_ns),
        graph_(Checked({.pattern = parameters.pattern,
                        .width = parameters.width,
                        .steps = parameters.steps,
                        .radix = parameters.radix,
                        .seed = seed})),
        left_(graph_.PlaceCount()),
        values_(graph_.PlaceCount()),
        seen_(graph_.PlaceCount()) {
    std::vector<std::uint64_t> values(graph_.PlaceCount());
    for (std::size_t task = 0; task < values.size(); ++task) {
      if (graph_.Exists(task)) {
        values[task] += Step(task);
        for (const std::uint32_t dependent : graph_.Dependents(task)) {
          values[dependent] += values[task];
        }
      }
    }
    expected_ = std::move(values);
  }

  void Prepare() override {
    for (std::size_t task = 0; task < left_.size(); ++task) {
      // relaxed: no fiber runs.
      left_[task].Store(graph_.Needs(task), memory_order_relaxed);
      values_[task].Store(0, memory_order_relaxed);
      seen_[task] = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t start = platform::NowNs();
    done_.Add(graph_.TaskCount());
    Fibers::Go(scheduler, [this, &scheduler] {
      for (std::size_t task = 0; task < left_.size(); ++task) {
        if (graph_.Needs(task) == 0 && graph_.Exists(task)) {
          Start(scheduler, task);
        }
      }
    });
    done_.Wait();
    wall_ns_ = platform::ElapsedNs(start);
    const std::uint32_t workers = scheduler.ActiveWorkers();
    const std::uint32_t cpus = platform::AvailableCpus();
    workers_ = workers == 0 ? cpus : std::min(workers, cpus);
    return graph_.TaskCount();
  }

  std::string Verify() override {
    for (std::size_t task = 0; task < expected_.size(); ++task) {
      if (seen_[task] != expected_[task]) {
        return fmt::format("task {} ran before all that it depends on had ended, or not once",
                           task);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    const auto tasks = static_cast<double>(graph_.TaskCount());
    const double granularity = static_cast<double>(wall_ns_) * workers_ / tasks;
    return {granularity, static_cast<double>(grain_ns_) / granularity};
  }

 private:
  static TaskGraph::Shape Checked(const TaskGraph::Shape& shape) {
    constexpr std::uint64_t kBytesPerTask = 64;  // bytes of all tables
    const std::uint64_t tasks = std::uint64_t{shape.width} * shape.steps;
    CheckedCount("taskgraph:steps", "tasks", tasks, kBytesPerTask);
    const std::uint64_t dependences = TaskGraph::MostDependences(shape);
    if (dependences > std::numeric_limits<std::uint32_t>::max()) {
      throw std::runtime_error(
          fmt::format("{} dependences are more than 4 billion; use fewer steps or a smaller width",
                      dependences));
    }
    RequireMemoryFor(dependences, "dependences", sizeof(std::uint32_t),
                     fmt::format("taskgraph:steps={}", std::max(1U, shape.steps / 2)));
    return shape;
  }

  static std::uint64_t Step(std::size_t task) noexcept {
    return task * 2 + 1;
  }

  void Start(registry::IScheduler& scheduler, std::size_t task) {
    Fibers::Go(scheduler, [this, &scheduler, task] { Task(scheduler, task); });
  }

  void Task(registry::IScheduler& scheduler, std::size_t task) {
    grain_.Do();
    const std::uint64_t value =
        values_[task].FetchAdd(Step(task), memory_order_relaxed) + Step(task);
    seen_[task] = value;
    for (const std::uint32_t dependent : graph_.Dependents(task)) {
      values_[dependent].FetchAdd(value, memory_order_relaxed);
      // acq_rel: pairs with itself in the other tasks: the last one has seen the values of all.
      if (left_[dependent].FetchSub(1, memory_order_acq_rel) == 1) {
        Start(scheduler, dependent);
      }
    }
    done_.Done();
  }

  const std::uint64_t grain_ns_;
  const SpinWork grain_;
  const TaskGraph graph_;
  std::vector<std::uint64_t> expected_;
  std::vector<Atomic<std::uint32_t>> left_;  // dependences that have not ended
  // Per task: its number and the values before it. relaxed: the decrements of left_ order them.
  std::vector<Atomic<std::uint64_t>> values_;
  std::vector<std::uint64_t> seen_;  // value of each task when it ran, written by it
  std::uint64_t wall_ns_ = 1;        // time of the last round
  std::uint32_t workers_ = 1;        // number in the last round
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<TaskGraphWorkload, TaskGraphParameters> kTaskGraph{{
    .name = "taskgraph",
    .doc = "Task Bench: tasks in steps, which depend on tasks of the step before",
    .operation = "task",
    .metrics = kTaskGraphMetrics,
    .presets = {{"smoke", "width=8,steps=20,grain_ns=100"},
                {"small", ""},
                {"full", "width=64,steps=1000,grain_ns=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

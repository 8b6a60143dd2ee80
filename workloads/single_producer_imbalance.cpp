#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/spin_work.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace schedbench::workloads {

namespace {

struct ImbalanceParameters {
  // clang-format off
  config::Field<"tasks", 20000U, config::Range{1U, 100000000U},
      "Tasks that the producer submits"> tasks;
  config::Field<"body_ns", 2000U, config::Range{0U, 1000000000U},
      "Nanoseconds of work in each task"> body_ns;
  // clang-format on
};

constexpr std::array kSingleProducerImbalanceMetrics{
    registry::Metric{
        "first_elsewhere", "ns", registry::Better::kLower,
        "Time from the producer's start until a task began on another thread; the whole "
        "round if none did"},
    registry::Metric{"share_elsewhere", "share", registry::Better::kHigher,
                     "Share of the tasks that did not run on the producer's thread"},
    registry::Metric{"busiest_share", "share", registry::Better::kLower,
                     "Share of the tasks that ran on the busiest thread; 1/n if n "
                     "threads run equally many"},
};

// One fiber submits all tasks: how soon and evenly others run them. One operation is one task.
class SingleProducerImbalance final : public registry::IWorkload {
 public:
  // Throws std::runtime_error when the tasks would not fit into RAM.
  explicit SingleProducerImbalance(const ImbalanceParameters& parameters)
      : body_(parameters.body_ns),
        tasks_(CheckedCount("single_producer_imbalance:tasks", "tasks", parameters.tasks,
                            sizeof(Task))) {
    for (Task& task : tasks_) {
      task.owner = this;
    }
  }

  void Prepare() override {
    for (Task& task : tasks_) {
      task.runs = 0;
    }
    first_elsewhere_at_.Store(0, memory_order_relaxed);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(tasks_.size());
    fibers::Go(scheduler, [this, &scheduler] {
      producer_ = OwnThread();
      start_ = platform::NowNs();
      for (Task& task : tasks_) {
        scheduler.Submit(&task, executors::SchedulerHint::UpToYou);
      }
    });
    done_.Wait();
    end_ = platform::NowNs();
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
    std::map<std::uint64_t, std::uint64_t> tasks_of;  // number of tasks by thread
    for (const Task& task : tasks_) {
      ++tasks_of[task.thread];
    }
    std::uint64_t busiest = 0;
    std::uint64_t elsewhere = 0;
    for (const auto& [thread, tasks] : tasks_of) {
      busiest = std::max(busiest, tasks);
      elsewhere += thread == producer_ ? 0 : tasks;
    }
    const auto all = static_cast<double>(tasks_.size());
    const std::uint64_t first = first_elsewhere_at_.Load(memory_order_relaxed);
    return {static_cast<double>((first == 0 ? end_ : first) - start_),
            static_cast<double>(elsewhere) / all, static_cast<double>(busiest) / all};
  }

 private:
  struct Task final : executors::TaskBase {
    SingleProducerImbalance* owner = nullptr;
    std::uint64_t thread = 0;
    std::uint32_t runs = 0;

    void Run() noexcept override {
      ++runs;
      thread = OwnThread();
      if (thread != owner->producer_) {
        owner->NoteElsewhere();
      }
      owner->body_.Do();
      owner->done_.Done();
    }
  };

  // This is on the scheduler's side for tsan-strict: the thread orders the uses of its number.
  static std::uint64_t OwnThread() noexcept {
    const executors::SchedulerSide side;
    return platform::ThreadNumber();
  }

  void NoteElsewhere() noexcept {
    std::uint64_t none = 0;
    // Written once: later tasks load an unchanged cache line.
    if (first_elsewhere_at_.Load(memory_order_relaxed) == none) {
      first_elsewhere_at_.CompareExchange(none, platform::NowNs(), memory_order_relaxed,
                                          memory_order_relaxed);
    }
  }

  const SpinWork body_;
  std::vector<Task> tasks_;
  // Plain data: the producer writes them before it submits.
  std::uint64_t producer_ = 0;
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
  Atomic<std::uint64_t> first_elsewhere_at_{0};  // time; 0: not yet; relaxed: read after the round
  alignas(kCacheLine) fibers::WaitGroup done_;
};

const registry::RegistrationOf<SingleProducerImbalance, ImbalanceParameters>
    kSingleProducerImbalance{{
        .name = "single_producer_imbalance",
        .doc =
            "one fiber submits all tasks; measures how soon and how evenly other workers run them",
        .operation = "task",
        .metrics = kSingleProducerImbalanceMetrics,
        .presets = {{"smoke", "tasks=500"}, {"small", ""}, {"full", "tasks=1000000"}},
    }};

}  // namespace

}  // namespace schedbench::workloads

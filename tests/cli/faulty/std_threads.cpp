// A scheduler whose threads schedbench does not start, and a workload that keeps them busy.
#include "base/attributes.hpp"
#include "base/intrusive_list.hpp"
#include "config/schema_of.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "metrics/worker_metrics.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::tests {

namespace {

struct StdThreadsConfig {
  config::Field<"workers", std::uint32_t{2}, config::Range{1U, 8U}, "Threads"> workers;
};

// A pool as users write it: std::thread, one queue, no metrics and no events.
class StdThreads final : public registry::IScheduler {
 public:
  explicit StdThreads(std::uint32_t workers)
      : workers_(workers) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      threads_.emplace_back([this] { RunTasks(); });
    }
  }

  ~StdThreads() override {
    Stop();
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint /*hint*/) noexcept override {
    const std::lock_guard lock(mutex_);
    tasks_.PushBack(task);
    ++pending_;
    changed_.notify_all();
  }

  void WaitIdle() noexcept override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return pending_ == 0; });
  }

  void Stop() noexcept override {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
    }
    for (std::thread& thread : threads_) {
      thread.join();
    }
    threads_.clear();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return std::vector<registry::WorkerReading>(
        workers_, {.values = metrics::ReadMetrics(metrics::WorkerMetrics()),
                   .wakeup_ticks = {},
                   .run_ticks = {}});
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return 0;
  }

 private:
  void RunTasks() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopped_ || !tasks_.IsEmpty(); });
      executors::TaskBase* const task = tasks_.TryPopFront();
      if (task == nullptr) {
        return;
      }
      lock.unlock();
      task->Run();
      lock.lock();
      --pending_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  // All guarded by mutex_.
  IntrusiveList<executors::TaskBase> tasks_;
  std::size_t pending_ = 0;
  bool stopped_ = false;
  const std::uint32_t workers_;
  std::vector<std::thread> threads_;
};

const registry::SchedulerRegistration kStdThreads{{
    .name = "std_threads",
    .doc = "a pool of std::thread",
    .schema = &config::SchemaOf<StdThreadsConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<StdThreads>(settings.As<StdThreadsConfig>().workers);
    },
}};

struct BusyParameters {
  config::Field<"milliseconds", std::uint32_t{20}, config::Range{1U, 1000U},
                "CPU time of each part">
      milliseconds;
  config::Field<"plain", false, config::AnyOf{}, "Run the parts as plain tasks, not as fibers">
      plain;
};

// Four fibers, or tasks, each of which needs CPU time.
class Busy final : public registry::IWorkload {
 public:
  explicit Busy(const BusyParameters& parameters)
      : parameters_(parameters) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(kParts);
    for (std::uint32_t i = 0; i < kParts; ++i) {
      const auto part = [this] {
        SpinOnCpu();
        done_.Done();
      };
      if (parameters_.plain) {
        executors::Submit(scheduler, part);
      } else {
        fibers::Go(scheduler, part, {.name = "busy"});
      }
    }
    done_.Wait();
    return kParts;
  }

  std::string Verify() override {
    return "";
  }

 private:
  static constexpr std::uint32_t kParts = 4;

  SB_NOINLINE void SpinOnCpu() const {
    const std::uint64_t end_ns =
        platform::ThreadCpuNs(0) + std::uint64_t{1'000'000} * parameters_.milliseconds;
    while (platform::ThreadCpuNs(0) < end_ns) {
    }
  }

  const BusyParameters parameters_;
  fibers::WaitGroup done_;
};

const registry::WorkloadRegistration kBusy{{
    .name = "busy",
    .doc = "needs CPU time",
    .operation = "part",
    .schema = &config::SchemaOf<BusyParameters>,
    .make = &registry::MakeWorkload<Busy, BusyParameters>,
}};

}  // namespace

}  // namespace schedbench::tests

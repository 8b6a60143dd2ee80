#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/counted_tasks.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/worker_sleep.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>

namespace schedbench::workloads {

namespace {

struct SingleMutexParameters {
  // clang-format off
  config::Field<"tasks", 10U, config::Range{1U, 10000000U}, "Fibers that share the mutex"> tasks;
  config::Field<"iterations", 50U, config::Range{1U, 1000000000U},
      "Critical sections of each"> iterations;
  SleepModeField mode;
  // clang-format on
};

// BM_SingleMutex of the program behind the toucan report: fibers pass 2 ns inside a critical
// section. In the published mode the worker sleeps while its fiber holds the mutex, so no other
// worker has work. One operation is one critical section.
class SingleMutex final : public registry::IWorkload {
 public:
  explicit SingleMutex(const SingleMutexParameters& parameters)
      : sleep_(parameters.mode, 2),
        tasks_("single_mutex:tasks", parameters.tasks, parameters.iterations) {
  }

  void Prepare() override {
    tasks_.Prepare();
    sections_ = 0;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    tasks_.Begin();
    for (std::size_t i = 0; i < tasks_.Count(); ++i) {
      tasks_.Start(scheduler, i, [this] {
        mutex_.Lock();
        sleep_();
        ++sections_;
        mutex_.Unlock();
      });
    }
    tasks_.Wait();
    return tasks_.Steps();
  }

  std::string Verify() override {
    std::string wrong = tasks_.Verify();
    if (wrong.empty() && sections_ != tasks_.Steps()) {
      wrong = fmt::format("{} of {} critical sections were counted", sections_, tasks_.Steps());
    }
    return wrong;
  }

 private:
  const WorkerSleep sleep_;
  std::uint64_t sections_ = 0;  // guarded by mutex_
  Fibers::Mutex mutex_;
  CountedTasks tasks_;
};

const registry::RegistrationOf<SingleMutex, SingleMutexParameters> kSingleMutex{{
    .name = "single_mutex",
    .doc = "toucan report: fibers sleep 2 ns in critical sections under one mutex",
    .operation = "section",
    .presets = {{"smoke", "iterations=10"}, {"small", ""}, {"full", "tasks=100,iterations=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

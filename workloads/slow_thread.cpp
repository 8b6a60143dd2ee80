#include "base/atomic.hpp"
#include "config/schema_of.hpp"
#include "platform/threads/thread.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/counted_tasks.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/worker_sleep.hpp"

#include <cstdint>
#include <string>

namespace schedbench::workloads {

namespace {

struct SlowThreadParameters {
  // clang-format off
  config::Field<"tasks", 100U, config::Range{1U, 10000000U},
      "Fibers that the calling thread starts"> tasks;
  config::Field<"iterations", 10U, config::Range{1U, 1000000000U},
      "Steps of each: yield, then pass 2 ns"> iterations;
  config::Field<"slowness", 100U, config::Range{1U, 100000000U},
      "How many times 2 ns a step takes on the slow worker"> slowness;
  SleepModeField mode;
  // clang-format on
};

// BM_SlowThread of the toucan report: the worker that runs a task first is slow from then on. As
// published, 200 ns are as short as 2 ns: both take the timer slack. One operation is one step of a
// task.
class SlowThread final : public registry::IWorkload {
 public:
  explicit SlowThread(const SlowThreadParameters& parameters)
      : sleep_(parameters.mode, 2),
        slow_sleep_(parameters.mode, std::uint64_t{2} * parameters.slowness),
        tasks_("slow_thread:tasks", parameters.tasks, parameters.iterations) {
  }

  void Prepare() override {
    tasks_.Prepare();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    tasks_.Begin();
    for (std::size_t i = 0; i < tasks_.Count(); ++i) {
      tasks_.Start(scheduler, i, [this] {
        Fibers::Yield();
        const WorkerSleep& sleep = IsOnSlowThread() ? slow_sleep_ : sleep_;
        sleep();
      });
    }
    tasks_.Wait();
    return tasks_.Steps();
  }

  std::string Verify() override {
    return tasks_.Verify();
  }

 private:
  bool IsOnSlowThread() noexcept {
    const std::uint64_t here = platform::ThreadNumber();
    std::uint64_t slow = slow_thread_.Load(memory_order_relaxed);
    if (slow == kNone &&
        slow_thread_.CompareExchange(slow, here, memory_order_relaxed, memory_order_relaxed)) {
      return true;
    }
    return slow == here;
  }

  static constexpr std::uint64_t kNone = 0;  // threads are numbered from 1

  const WorkerSleep sleep_;
  const WorkerSleep slow_sleep_;
  Atomic<std::uint64_t> slow_thread_{kNone};  // for all rounds; relaxed: only the number is used
  CountedTasks tasks_;
};

const registry::RegistrationOf<SlowThread, SlowThreadParameters> kSlowThread{{
    .name = "slow_thread",
    .doc = "toucan report: tasks that sleep 2 ns and yield, or 200 ns on one slow worker",
    .operation = "step",
    .presets = {{"smoke", "tasks=20,iterations=5"},
                {"small", ""},
                {"full", "tasks=1000,iterations=10"}},
}};

}  // namespace

}  // namespace schedbench::workloads

#include "base/atomic.hpp"
#include "base/spin_wait.hpp"
#include "config/schema_of.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/counted_tasks.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/worker_sleep.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct DifferentSpawnersParameters {
  // clang-format off
  config::Field<"tasks_first", 500U, config::Range{1U, 10000000U},
      "Fibers that the first spawner starts"> tasks_first;
  config::Field<"tasks_second", 50U, config::Range{1U, 10000000U},
      "Fibers that the second spawner starts, on another worker"> tasks_second;
  config::Field<"iterations", 2U, config::Range{1U, 1000000000U},
      "Steps of each: pass 2 ns, then yield"> iterations;
  SleepModeField mode;
  // clang-format on
};

constexpr std::array kDifferentSpawnersMetrics{registry::Metric{
    "spawners_apart", "share", registry::Better::kNone,
    "1 if the two spawners ran on different workers, 0 if not: with one worker, or "
    "if no second one took a spawner within 100 ms"}};

// BM_DifferentSpawners of the toucan report: two fibers on two workers start many and few tasks.
// The first spawner keeps its worker until the second one runs on another worker. The report does
// so only in the first iteration; here it is part of each round and takes microseconds. One
// operation is one step of a task.
class DifferentSpawners final : public registry::IWorkload {
 public:
  explicit DifferentSpawners(const DifferentSpawnersParameters& parameters)
      : sleep_(parameters.mode, 2),
        first_(parameters.tasks_first),
        tasks_("different_spawners:tasks_first",
               std::uint64_t{parameters.tasks_first} + parameters.tasks_second,
               parameters.iterations) {
  }

  void Prepare() override {
    tasks_.Prepare();
    first_thread_.Store(kNone, memory_order_relaxed);
    state_.Store(State::kUnknown, memory_order_relaxed);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    tasks_.Begin();
    const bool separate = scheduler.ActiveWorkers() != 1;
    Fibers::Go(scheduler, [this, &scheduler, separate] {
      if (separate) {
        KeepWorker();
      }
      StartAll(scheduler, 0, first_);
    });
    Fibers::Go(scheduler, [this, &scheduler, separate] {
      if (separate) {
        FindOtherWorker();
      }
      StartAll(scheduler, first_, tasks_.Count());
    });
    tasks_.Wait();
    return tasks_.Steps();
  }

  std::string Verify() override {
    return tasks_.Verify();
  }

  std::vector<double> Metrics() const override {
    return {Now() == State::kApart ? 1.0 : 0.0};
  }

 private:
  enum class State : std::uint8_t {
    kUnknown,  // the second spawner has not found a worker
    kApart,    // the second spawner runs on another worker
    kTogether  // the first spawner has given up
  };

  // Runs as the first spawner until the second one is on another worker.
  void KeepWorker() noexcept {
    constexpr std::uint64_t kPatienceNs = 100'000'000;
    const std::uint64_t start = platform::NowNs();
    first_thread_.Store(platform::ThreadNumber(), memory_order_relaxed);
    for (SpinWait spin; Now() == State::kUnknown; spin.Spin()) {
      if (platform::ElapsedNs(start) > kPatienceNs) {
        Decide(State::kTogether);
      }
    }
  }

  // Yields as the second spawner until it is on another worker, or the first has given up.
  void FindOtherWorker() noexcept {
    while (Now() == State::kUnknown) {
      const std::uint64_t first = first_thread_.Load(memory_order_relaxed);
      if (first != kNone && first != platform::ThreadNumber()) {
        Decide(State::kApart);
      } else {
        Fibers::Yield();
      }
    }
  }

  State Now() const noexcept {
    return state_.Load(memory_order_relaxed);
  }

  // Decides the state; the first decision counts.
  void Decide(State state) noexcept {
    State expected = State::kUnknown;
    state_.CompareExchange(expected, state, memory_order_relaxed, memory_order_relaxed);
  }

  void StartAll(registry::IScheduler& scheduler, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      tasks_.Start(scheduler, i, [this] {
        sleep_();
        Fibers::Yield();
      });
    }
  }

  static constexpr std::uint64_t kNone = 0;  // threads are numbered from 1

  const WorkerSleep sleep_;
  const std::size_t first_;                    // tasks of the first spawner
  Atomic<std::uint64_t> first_thread_{kNone};  // relaxed: the number is only compared
  Atomic<State> state_{State::kUnknown};       // relaxed: only the state itself is used
  CountedTasks tasks_;
};

const registry::RegistrationOf<DifferentSpawners, DifferentSpawnersParameters> kDifferentSpawners{{
    .name = "different_spawners",
    .doc =
        "toucan report: two fibers on two workers start many and few tasks, which sleep and yield",
    .operation = "step",
    .metrics = kDifferentSpawnersMetrics,
    .presets = {{"smoke", "tasks_first=30,tasks_second=10,iterations=2"},
                {"small", ""},
                {"full", "tasks_first=10000,tasks_second=100,iterations=10"}},
}};

}  // namespace

}  // namespace schedbench::workloads

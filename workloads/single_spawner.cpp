#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/counted_tasks.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/worker_sleep.hpp"

#include <cstdint>
#include <string>

namespace schedbench::workloads {

namespace {

struct SingleSpawnerParameters {
  // clang-format off
  config::Field<"tasks", 100U, config::Range{1U, 10000000U},
      "Fibers that the spawner starts"> tasks;
  config::Field<"iterations", 10U, config::Range{1U, 1000000000U},
      "Steps of each: pass 2 ns, then yield"> iterations;
  config::Field<"spawner_yields", false, config::AnyOf{},
      "Whether the spawner yields after each start"> spawner_yields;
  SleepModeField mode;
  // clang-format on
};

// BM_SingleSpawner of the toucan report: one fiber starts all others, so that they all begin in the
// queue of one worker. As published, it mostly measures the kernel's sleep. One operation is one
// step.
class SingleSpawner final : public registry::IWorkload {
 public:
  explicit SingleSpawner(const SingleSpawnerParameters& parameters)
      : spawner_yields_(parameters.spawner_yields),
        sleep_(parameters.mode, 2),
        tasks_("single_spawner:tasks", parameters.tasks, parameters.iterations) {
  }

  void Prepare() override {
    tasks_.Prepare();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    tasks_.Begin();
    Fibers::Go(scheduler, [this, &scheduler] {
      for (std::size_t i = 0; i < tasks_.Count(); ++i) {
        tasks_.Start(scheduler, i, [this] {
          sleep_();
          Fibers::Yield();
        });
        if (spawner_yields_) {
          Fibers::Yield();
        }
      }
    });
    tasks_.Wait();
    return tasks_.Steps();
  }

  std::string Verify() override {
    return tasks_.Verify();
  }

 private:
  const bool spawner_yields_;
  const WorkerSleep sleep_;
  CountedTasks tasks_;
};

const registry::RegistrationOf<SingleSpawner, SingleSpawnerParameters> kSingleSpawner{{
    .name = "single_spawner",
    .doc = "toucan report: one fiber starts all tasks, which sleep 2 ns and yield",
    .operation = "step",
    .presets = {{"smoke", "tasks=20,iterations=5"},
                {"small", ""},
                {"full", "tasks=1000,iterations=10"}},
}};

}  // namespace

}  // namespace schedbench::workloads

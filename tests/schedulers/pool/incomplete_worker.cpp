// Must not compile: a worker without HandOffTasks(). ctest checks that the compiler names the function.
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/threads/config.hpp"

namespace schedbench::schedulers {

class Incomplete final : public PoolWorker<Incomplete> {
 public:
  using Config = threads::SingleThreadConfig;
  static constexpr const char* kThreadName = "incomplete-";
  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& config);

  Incomplete(Pool& pool, std::uint32_t index, const Config& config, std::uint64_t seed);

  void Submit(TaskBase* task, SchedulerHint hint) noexcept;
  void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept;
  TaskBase* TryPickTask() noexcept override;
  TaskBase* TryStealTasks() noexcept;
  TaskBase* TryGrabTasksFromGlobalQueue() noexcept;
  bool HasTasksToSteal() const noexcept;
  std::size_t TasksToRun() const noexcept;
  std::vector<QueueDepth> Depths() const;
};

std::unique_ptr<registry::IScheduler> Make(const threads::SingleThreadConfig& config) {
  return std::make_unique<WorkerPool<Incomplete>>(config, 1);
}

}  // namespace schedbench::schedulers

// Must not compile: a stealing worker that does not say which queues it has beside the local queue. ctest checks that the
// compiler names the function.
#include "schedulers/pool/stealing_worker.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "schedulers/threads/config.hpp"

namespace schedbench::schedulers {

class Incomplete final : public StealingWorker<Incomplete, WorkStealingQueue> {
 public:
  using Config = threads::SingleThreadConfig;
  static constexpr const char* kThreadName = "incomplete-";
  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& config);

  Incomplete(Pool& pool, std::uint32_t index, const Config& /*config*/, std::uint64_t seed)
      : StealingWorker(pool, index, 1, seed, 8, StealingOptions{}) {
  }

  void PushYielded(TaskBase* task) noexcept;
  TaskBase* TryPickTaskFromQueues() noexcept;
};

std::unique_ptr<registry::IScheduler> Make(const threads::SingleThreadConfig& config) {
  return std::make_unique<WorkerPool<Incomplete>>(config, 1);
}

}  // namespace schedbench::schedulers

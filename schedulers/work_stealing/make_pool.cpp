#include "schedulers/work_stealing/make_pool.hpp"

#include "schedulers/queues/lfab_queue.hpp"
#include "schedulers/queues/mutex_queue.hpp"
#include "schedulers/queues/two_head_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "schedulers/work_stealing/worker.hpp"

namespace schedbench::schedulers::work_stealing {

std::unique_ptr<registry::IScheduler> MakePool(const WorkStealingConfig& config,
                                               std::uint64_t seed) {
  switch (config.local_queue.value) {
    case LocalQueueKind::kMutex:
      return std::make_unique<WorkerPool<PoolPolicies<MutexQueue>>>(config, seed);
    case LocalQueueKind::kLFAB:
      return std::make_unique<WorkerPool<PoolPolicies<LFABQueue>>>(config, seed);
    case LocalQueueKind::kTwoHead:
      return std::make_unique<WorkerPool<PoolPolicies<TwoHeadQueue>>>(config, seed);
    case LocalQueueKind::kRing:
      return std::make_unique<WorkerPool<PoolPolicies<WorkStealingQueue>>>(config, seed);
  }
  return nullptr;
}

void WorkStealingConfig::Check(const WorkStealingConfig& config, config::Problems& problems) {
  if (config.global_queue == GlobalQueueKind::kTakeAll) {
    if (config.local_queue != LocalQueueKind::kMutex) {
      problems.Add(
          "global_queue",
          "take_all takes the whole queue at once, and needs local_queue=mutex, which has no "
          "limit");
    }
    if (config.global_grab != GrabSize::kAll) {
      problems.Add("global_queue",
                   "take_all takes the whole queue at once, and needs global_grab=all");
    }
  }
  if (config.local_queue == LocalQueueKind::kMutex) {
    problems.AddUnused("overflow",
                       "a mutex queue is never full; this field needs another local_queue");
  }
  CheckNumbers(config, Parts::kChosen, problems);
}

void WorkStealingConfig::CheckNumbers(const WorkStealingConfig& config, Parts parts,
                                      config::Problems& problems) {
  if (config.pick_order != PickOrder::kS4) {
    problems.AddUnused("lifo_limit", "only pick_order=s4 has a LIFO slot");
  }
  if (parts == Parts::kChosen && config.steal == Steal::kOne) {
    problems.AddUnused("steal_batch",
                       "with steal=one a thief takes one task; this field needs steal=half");
  }
  const bool has_batches = config.steal == Steal::kHalf && parts == Parts::kChosen;
  if (config.local_queue == LocalQueueKind::kMutex && !has_batches &&
      (config.global_grab == GrabSize::kOne || config.global_grab == GrabSize::kAll)) {
    problems.AddUnused(
        "local_queue_capacity",
        parts == Parts::kNamed
            ? "the local queues of this scheduler have no limit, and no batch depends on this field"
            : "a mutex queue has no limit; this field needs another local_queue, steal=half, or "
              "global_grab=fair_share or half_capacity");
  }
}

}  // namespace schedbench::schedulers::work_stealing

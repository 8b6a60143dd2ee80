#include "schedulers/work_stealing/make_pool.hpp"

#include "base/assert.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/lfab_queue.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/moodycamel_queue.hpp"
#include "schedulers/queues/mutex_queue.hpp"
#include "schedulers/queues/take_all_stack.hpp"
#include "schedulers/queues/two_head_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "schedulers/work_stealing/worker.hpp"

namespace schedbench::schedulers::work_stealing {

namespace {

template <typename LocalQueue, typename Global>
std::unique_ptr<registry::IScheduler> MakeOf(const WorkStealingConfig& config, std::uint64_t seed) {
  return std::make_unique<WorkerPool<Worker<LocalQueue, Global>>>(config, seed);
}

template <typename LocalQueue>
std::unique_ptr<registry::IScheduler> MakeWith(const WorkStealingConfig& config,
                                               std::uint64_t seed) {
  switch (config.global_queue) {
    case GlobalQueueKind::kMutex:
      return MakeOf<LocalQueue, GlobalQueue>(config, seed);
    case GlobalQueueKind::kLockFree:
      return MakeOf<LocalQueue, LockFreeGlobalQueue>(config, seed);
    case GlobalQueueKind::kMoodycamel:
      return MakeOf<LocalQueue, MoodycamelQueue>(config, seed);
    case GlobalQueueKind::kTakeAll:
      return MakeOf<MutexQueue, TakeAllStack>(config, seed);
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<registry::IScheduler> MakePool(const WorkStealingConfig& config,
                                               std::uint64_t seed) {
  switch (config.local_queue) {
    case LocalQueueKind::kMutex:
      return MakeWith<MutexQueue>(config, seed);
    case LocalQueueKind::kLFAB:
      return MakeWith<LFABQueue>(config, seed);
    case LocalQueueKind::kTwoHead:
      return MakeWith<TwoHeadQueue>(config, seed);
    case LocalQueueKind::kRing:
      return MakeWith<WorkStealingQueue>(config, seed);
  }
  return nullptr;
}

void WorkStealingConfig::Check(const WorkStealingConfig& config, config::Problems& problems) {
  fields::CheckMaxWorkers(config, problems);
  if (config.global_queue == GlobalQueueKind::kTakeAll) {
    if (config.local_queue != LocalQueueKind::kMutex) {
      problems.Add("global_queue",
                   "take_all gives everything at once, for which only local_queue=mutex has room");
    }
    if (config.global_take != GlobalTake::kAll) {
      problems.Add("global_queue", "take_all gives everything at once: it needs global_take=all");
    }
  }
}

WorkStealingConfig Complete(const Policies& policies, const NamedConfig& named) {
  WorkStealingConfig config;
  config.local_queue.value = policies.local_queue;
  config.global_queue.value = policies.global_queue;
  config.steal.value = policies.steal;
  config.global_take.value = policies.global_take;
  config.overflow.value = policies.overflow;
  config.workers = named.workers;
  config.max_workers = named.max_workers;
  config.local_queue_capacity = named.local_queue_capacity;
  config.steal_batch = named.steal_batch;
  config.victim = named.victim;
  config.pick_order.value = named.pick_order.value;
  config.lifo_limit = named.lifo_limit;
  config.yield_to.value = named.yield_to.value;
  config.global_poll_period = named.global_poll_period;
  config.max_searching = named.max_searching;
  config.notify = named.notify;
  config.stacks = named.stacks;
  return config;
}

}  // namespace schedbench::schedulers::work_stealing

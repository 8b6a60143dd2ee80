#include "schedulers/fast/make_pool.hpp"

#include "platform/threads/thread.hpp"
#include "schedulers/fast/worker.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/moodycamel_queue.hpp"

#include <algorithm>

namespace schedbench::schedulers::fast {

std::unique_ptr<registry::IScheduler> MakePool(FastConfig config, std::uint64_t seed) {
  if (config.workers == 0U) {
    config.workers.value = std::min(platform::AvailableCpus(), fields::Workers::kLimit.max);
  }
  switch (config.global_queue.value) {
    case GlobalQueueKind::kMutex:
      return std::make_unique<ThreadPool<GlobalQueue>>(config, seed);
    case GlobalQueueKind::kLockFree:
      return std::make_unique<ThreadPool<LockFreeGlobalQueue>>(config, seed);
    case GlobalQueueKind::kMoodycamel:
      return std::make_unique<ThreadPool<MoodycamelQueue>>(config, seed);
  }
  return nullptr;
}

}  // namespace schedbench::schedulers::fast

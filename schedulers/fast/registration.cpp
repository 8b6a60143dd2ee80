#include "config/schema_of.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/fast/worker.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/moodycamel_queue.hpp"

#include <memory>

namespace schedbench::schedulers::fast {

namespace {

std::unique_ptr<registry::IScheduler> Make(const FastConfig& config, std::uint64_t seed) {
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

const registry::SchedulerRegistration kFast{{
    .name = "fast",
    .doc = "work stealing: a lock-free queue per worker, LIFO slot, global queue, exact wake-ups",
    .schema = &config::SchemaOf<FastConfig>,
    .make =
        [](const config::Settings& settings, std::uint64_t seed) {
          return Make(settings.As<FastConfig>(), seed);
        },
}};

}  // namespace

}  // namespace schedbench::schedulers::fast

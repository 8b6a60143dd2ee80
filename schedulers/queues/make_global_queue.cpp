#include "schedulers/queues/make_global_queue.hpp"

#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/moodycamel_queue.hpp"
#include "schedulers/queues/take_all_stack.hpp"

namespace schedbench::schedulers {

std::unique_ptr<IGlobalQueue> MakeGlobalQueue(GlobalQueueKind kind, std::uint32_t workers) {
  switch (kind) {
    case GlobalQueueKind::kAuto:
      return MakeGlobalQueue(workers == 1 ? GlobalQueueKind::kMutex : GlobalQueueKind::kLockFree,
                             workers);
    case GlobalQueueKind::kMutex:
      return std::make_unique<GlobalQueue>();
    case GlobalQueueKind::kLockFree:
      return std::make_unique<LockFreeGlobalQueue>();
    case GlobalQueueKind::kMoodycamel:
      return std::make_unique<MoodycamelQueue>();
    case GlobalQueueKind::kTakeAll:
      return std::make_unique<TakeAllStack>();
  }
  return nullptr;
}

}  // namespace schedbench::schedulers

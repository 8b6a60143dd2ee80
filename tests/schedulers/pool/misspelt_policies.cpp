// Must not compile: policies whose OptionsOf() and kHandsOff are misspelt. ctest checks that the
// compiler names each.
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/threads/single_thread.hpp"

namespace schedbench::schedulers {

struct Misspelt {
  using Config = threads::SingleThreadConfig;
  using LocalQueue = threads::ReadyTasks;

  static constexpr const char* kThreadName = "misspelt-";
  static constexpr bool kHasSlot = false;
  static constexpr bool kHasYieldQueue = false;
  static constexpr bool kForks = false;
#if defined(MISSPELT_CONSTANT)
  static constexpr bool kHandOff = false;
#else
  static constexpr bool kHandsOff = false;
#endif
  static constexpr bool kMayNotifyAll = false;
  static constexpr bool kMayShareCounter = false;
  static HandOffOptions HandOffOf(const Config& config) noexcept;
  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& config);
  static threads::ReadyTasks MakeLocalQueue(const Config& config, std::uint64_t seed);
#if defined(MISSPELT_FUNCTION)
  static WorkerOptions OptionOf(const Config& config);
#else
  static WorkerOptions OptionsOf(const Config& config);
#endif
};

std::unique_ptr<registry::IScheduler> Make(const threads::SingleThreadConfig& config) {
  return std::make_unique<WorkerPool<Misspelt>>(config, 1);
}

}  // namespace schedbench::schedulers

#include "registry/runtime.hpp"
#include "schedulers/peers/config.hpp"
#include "schedulers/peers/hosted/hosted_pool.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/version.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace schedbench::schedulers::peers {

namespace {

// An arena of oneTBB. A task's submits go to the deque of its thread, newest first:
// task_group::run(). External submissions and yields go to the arena's fair queue: enqueue(). From
// the deque a yielding fiber would run next.
class TbbArena {
 public:
  // The limit is one more than the workers: oneTBB counts the thread that made the arena.
  explicit TbbArena(std::uint32_t threads)
      : threads_(threads),
        most_(tbb::global_control::max_allowed_parallelism, threads + 1),
        arena_(static_cast<int>(threads), 0) {
    arena_.initialize();
  }

  template <typename Callback>
  void Post(Callback callback, SchedulerHint hint, bool external_submissions) noexcept {
    if (external_submissions || hint == SchedulerHint::Yield) {
      arena_.enqueue(group_.defer(callback));
    } else {
      group_.run(callback);
    }
  }

  // An arena has at least two slots. The thread of a single worker may be in either slot.
  std::size_t CurrentThread() const noexcept {
    return std::min(static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()),
                    threads_ - 1);
  }

  // Waits, because the last callback may be about to return.
  void End() noexcept {
    arena_.execute([this] { group_.wait(); });
  }

 private:
  const std::size_t threads_;
  const tbb::global_control most_;
  tbb::task_group group_;
  tbb::task_arena arena_;
};

const registry::RuntimeRegistration kRuntime{{.name = "oneTBB",
                                              .version = TBB_VERSION_STRING,
                                              .tasks = "our fibers, hosted in its callbacks"}};

const registry::SchedulerRegistration kTbb{{
    .name = "tbb_hosted",
    .doc = "hosted: our fibers on the threads of an arena of oneTBB, which runs each part of a "
           "fiber as a task",
    .schema = &config::SchemaOf<PeerConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<HostedPool<TbbArena>>(settings.As<PeerConfig>().workers, seed);
    },
}};

}  // namespace

}  // namespace schedbench::schedulers::peers

#include "config/schema_of.hpp"
#include "platform/machine/thread_limit.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/threads/config.hpp"
#include "schedulers/threads/growing_pool.hpp"
#include "schedulers/threads/single_thread.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

namespace schedbench::schedulers::threads {

namespace {

// More do not help: each costs a kernel stack, a page of its own stack and one of a fiber's.
constexpr std::uint32_t kMaxByDefault = 10000;
// Most rows of a table that is still readable.
constexpr std::uint32_t kMaxRows = 48;

// Returns `wanted`, or for 0 what is possible. Throws std::runtime_error for more than permitted.
std::uint32_t Permitted(std::uint32_t wanted, const char* field) {
  const platform::ThreadLimit limit = platform::ReadThreadLimit();
  if (wanted == 0) {
    // Half of the limit: a thread that ends may still be there when the next one starts.
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(limit.threads / 2, 1, kMaxByDefault));
  }
  if (wanted > limit.threads) {
    throw std::runtime_error(fmt::format("{}={} threads: the machine permits {} more ({})", field,
                                         wanted, limit.threads, limit.reason));
  }
  return wanted;
}

const registry::SchedulerRegistration kThreadPerTask{{
    .name = "thread_per_task",
    .doc = "Go article, 1:1: a new thread for each task, and each time a fiber is resumed",
    .schema = &config::SchemaOf<ThreadPerTaskConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      const auto& config = settings.As<ThreadPerTaskConfig>();
      return std::make_unique<GrowingPool>(
          GrowingPool::Options{.name = "task",
                               .max_threads = Permitted(config.max_threads, "max_threads"),
                               .reuse = false,
                               .keep_alive = {},
                               .row_per_thread = false},
          config.stacks.value, seed);
    },
    .records_events = false,
}};

const registry::SchedulerRegistration kSingleThread{{
    .name = "single_thread",
    .doc = "Go article, 1:N: one thread runs all tasks",
    .schema = &config::SchemaOf<SingleThreadConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<WorkerPool<SingleThread>>(settings.As<SingleThreadConfig>(), seed);
    },
}};

const registry::SchedulerRegistration kCachedPool{{
    .name = "cached_pool",
    .doc = "Go article: an idle thread runs the task; without one, a new thread does",
    .schema = &config::SchemaOf<CachedPoolConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      const auto& config = settings.As<CachedPoolConfig>();
      return std::make_unique<GrowingPool>(
          GrowingPool::Options{.name = "cached",
                               .max_threads = Permitted(config.max_threads, "max_threads"),
                               .reuse = true,
                               .keep_alive = std::chrono::milliseconds(config.keep_alive_ms),
                               .row_per_thread = false},
          config.stacks.value, seed);
    },
    .records_events = false,
}};

const registry::SchedulerRegistration kBoundedPool{{
    .name = "bounded_pool",
    .doc = "Go article, M:N: an idle thread or, below the limit, a new one runs the task; else "
           "it waits",
    .schema = &config::SchemaOf<BoundedPoolConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      const auto& config = settings.As<BoundedPoolConfig>();
      return std::make_unique<GrowingPool>(
          GrowingPool::Options{.name = "bounded",
                               .max_threads = Permitted(config.limit, "limit"),
                               .reuse = true,
                               .keep_alive = std::chrono::milliseconds(config.keep_alive_ms),
                               .row_per_thread = config.limit <= kMaxRows,
                               .counts_limit = true},
          config.stacks.value, seed);
    },
    .records_events = false,
}};

}  // namespace

}  // namespace schedbench::schedulers::threads

#include "registry/runtime.hpp"
#include "schedulers/peers/tbb/arena.hpp"

#include <tbb/version.h>

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::peers {

namespace {

const registry::RuntimeRegistration kRuntime{
    {.name = "oneTBB", .version = TBB_VERSION_STRING, .tasks = "tasks, without stacks"}};

const registry::SchedulerRegistration kTbb{{
    .name = "tbb",
    .doc = "native: oneTBB's own tasks in an arena; the thread that starts a round is one of its "
           "workers",
    .schema = &config::SchemaOf<PeerConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<TbbArena>(settings.As<PeerConfig>());
    },
}};

}  // namespace

}  // namespace schedbench::schedulers::peers

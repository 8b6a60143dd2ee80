#include "registry/runtime.hpp"
#include "schedulers/peers/asio/pool.hpp"
#include "schedulers/peers/asio_version.hpp"

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::peers {

namespace {

const registry::RuntimeRegistration kRuntime{
    {.name = "Asio", .version = AsioVersion(), .tasks = "handlers"}};

const registry::SchedulerRegistration kAsio{{
    .name = "asio",
    .doc = "native: handlers that are posted to Asio's thread_pool",
    .schema = &config::SchemaOf<PeerConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<AsioHandlerPool>(settings.As<PeerConfig>());
    },
}};

}  // namespace

}  // namespace schedbench::schedulers::peers

#include "config/schema_of.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/global_fifo/thread_pool.hpp"

namespace schedbench::schedulers::global_fifo {

namespace {

const registry::SchedulerRegistration kGlobalFifo{{
    .name = "global_fifo",
    .doc =
        "one queue under one mutex for all workers: the baseline, GlobalFIFO of the toucan report",
    .schema = &config::SchemaOf<GlobalFifoConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<ThreadPool>(settings.As<GlobalFifoConfig>(), seed);
    },
    .alias = "GlobalFIFO",
}};

}  // namespace

}  // namespace schedbench::schedulers::global_fifo

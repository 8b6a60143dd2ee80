#include "config/schema_of.hpp"
#include "fibers/net/poller.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/fast/make_pool.hpp"

namespace schedbench::schedulers::fast {

namespace {

const registry::SchedulerRegistration kFast{{
    .name = "fast",
    .doc = "work stealing: a lock-free queue per worker, LIFO slot, global queue, exact wake-ups",
    .schema = &config::SchemaOf<FastConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) { return MakePool(settings.As<FastConfig>(), seed); },
    .set_effective =
        [](config::Settings& settings) {
          const Netpoll netpoll = settings.As<FastConfig>().netpoll;
          if (netpoll == Netpoll::kUring || netpoll == Netpoll::kAuto) {
            settings.Set("netpoll", std::string(fibers::Poller::UsesRing() ? "uring" : "epoll"),
                         {});
          }
        },
}};

}  // namespace

}  // namespace schedbench::schedulers::fast

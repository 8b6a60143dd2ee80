#include "registry/runtime.hpp"
#include "schedulers/peers/asio_version.hpp"
#include "schedulers/peers/config.hpp"
#include "schedulers/peers/hosted/hosted_pool.hpp"

#include <boost/asio/defer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::peers {

namespace {

// Asio's thread_pool. Yields go through defer(), for continuations of the caller, others through
// post().
class AsioPool {
 public:
  explicit AsioPool(std::uint32_t threads)
      : pool_(threads) {
  }

  template <typename Callback>
  void Post(Callback callback, SchedulerHint hint, bool /*external_submissions*/) noexcept {
    if (hint == SchedulerHint::Yield) {
      boost::asio::defer(pool_, callback);
    } else {
      boost::asio::post(pool_, callback);
    }
  }

  // Asio does not number its threads. Each gets a number at its first callback.
  std::size_t CurrentThread() noexcept {
    Place* place = CurrentPlace::Get();
    if (place == nullptr) {
      place = MakePlace();
    }
    return place->number;
  }

  void End() noexcept {
    pool_.join();
  }

 private:
  struct Place {
    std::size_t number;
  };
  using CurrentPlace = platform::ThreadLocalPtr<Place, AsioPool>;

  SB_NOINLINE Place* MakePlace() noexcept {
    thread_local Place place{0};
    place.number = threads_.FetchAdd(1, memory_order_relaxed);
    CurrentPlace::Set(&place);
    return &place;
  }

  Atomic<std::size_t> threads_{0};  // relaxed: the number only has to be unique
  boost::asio::thread_pool pool_;
};

const registry::RuntimeRegistration kRuntime{
    {.name = "Asio", .version = AsioVersion(), .tasks = "our fibers, hosted in its callbacks"}};

const registry::SchedulerRegistration kAsio{{
    .name = "asio_hosted",
    .doc = "hosted: our fibers on the threads of Asio's thread_pool, which runs each part of a "
           "fiber as a handler",
    .schema = &config::SchemaOf<PeerConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<HostedPool<AsioPool>>(settings.As<PeerConfig>().workers, seed);
    },
}};

}  // namespace

}  // namespace schedbench::schedulers::peers

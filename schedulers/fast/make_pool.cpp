#include "schedulers/fast/make_pool.hpp"

#include "fibers/core/fiber_thread.hpp"
#include "platform/signals/preempt_signal.hpp"
#include "platform/threads/thread.hpp"
#include "schedulers/fast/worker.hpp"

#include <algorithm>
#include <stdexcept>

namespace schedbench::schedulers::fast {

namespace {

// Installs what the monitor's signals need. Throws std::runtime_error where they are not available.
void InterruptFibers() {
  if (!platform::PreemptSignal::IsSupported()) {
    throw std::runtime_error(
        "preempt=signal is not available here: it needs x86-64 with XSAVE and a build without "
        "sanitizers; use preempt=coop");
  }
  static const bool installed = [] {
    platform::PreemptSignal::Install(&fibers::FiberThread::MayPreemptAt,
                                     &fibers::FiberThread::PreemptBySignal);
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace

std::unique_ptr<registry::IScheduler> MakePool(FastConfig config, std::uint64_t seed) {
  if (config.workers == 0U) {
    config.workers.value = std::min(platform::AvailableCpus(), fields::Workers::kLimit.max);
  }
  if (config.preempt == Preempt::kSignal) {
    InterruptFibers();
  }
  return std::make_unique<ThreadPool>(config, seed);
}

}  // namespace schedbench::schedulers::fast

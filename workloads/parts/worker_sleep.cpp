#include "workloads/parts/worker_sleep.hpp"

#include "base/attributes.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"

namespace schedbench::workloads {

namespace {

// Sets the slack of the calling thread once; 0 is the default. Not inlined: a fiber that continues
// on another thread must not keep the address of the thread_local.
SB_NOINLINE SB_NO_TSAN void UseSlack(std::uint64_t ns) noexcept {
  thread_local std::uint64_t used = 0;
  if (used != ns) {
    platform::SetTimerSlack(ns);
    used = ns;
  }
}

}  // namespace

WorkerSleep::WorkerSleep(SleepMode mode, std::uint64_t ns)
    : mode_(mode),
      ns_(ns),
      spin_(ns) {
}

void WorkerSleep::operator()() const noexcept {
  if (mode_ == SleepMode::kSpin) {
    spin_.Do();
    return;
  }
  UseSlack(mode_ == SleepMode::kSlack1 ? 1 : 0);
  platform::SleepForNs(ns_);
}

}  // namespace schedbench::workloads

#include "profile/sampling/worker_sampling.hpp"

#include "platform/threads/this_thread.hpp"
#include "platform/time/blocking_cost.hpp"
#include "platform/time/clock.hpp"

#include <chrono>
#include <stdexcept>

namespace schedbench::profile {

namespace {

std::uint64_t Nanoseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(time.count());
}

}  // namespace

WorkerSampling::WorkerSampling(const SamplerOptions& options, const Observe& observe)
    : sampler_(options),
      observe_(observe) {
  try {
    collector_.emplace("sampler", [this] { CollectUntilStopped(); });
  } catch (const std::runtime_error& error) {
    throw SamplingRefused(error.what());
  }
  platform::WatchWorkerThreads(this);
}

WorkerSampling::~WorkerSampling() {
  platform::WatchWorkerThreads(nullptr);
  stop_.Set();
}

void WorkerSampling::OnBegin(const std::string& name) noexcept {
  const int thread = platform::KernelThreadId();
  sampler_.Attach(
      {.index = numbers_.Take(name, thread), .thread = thread, .stack = platform::OwnStack()});
  if (observe_.blocked_calls) {
    blocked_.Attach(thread);
    platform::CountBlockingCostsOfThisThread();
  }
}

void WorkerSampling::OnEnd() noexcept {
  const int thread = platform::KernelThreadId();
  blocked_.Detach(thread);
  sampler_.Detach(thread);
  numbers_.Release(thread);
}

void WorkerSampling::CollectUntilStopped() {
  // Room for some 60,000 samples suffices for a second at any rate that a worker survives.
  constexpr std::chrono::nanoseconds kCollectEvery = std::chrono::milliseconds(250);
  // The period is not in step with events each 1 or 10 ms.
  constexpr std::chrono::nanoseconds kCountEvery = std::chrono::microseconds(9'700);
  constexpr std::chrono::nanoseconds kLookEvery = std::chrono::microseconds(970);
  constexpr int kCostShare = 20;  // a census takes at most a 20th of the time
  std::uint64_t next_collect_ns = 0;
  std::uint64_t next_count_ns = 0;
  const std::chrono::nanoseconds every = observe_.blocked_calls ? kLookEvery
                                         : observe_.waits       ? kCountEvery
                                                                : kCollectEvery;
  while (!stop_.WaitFor(every)) {
    const std::uint64_t begin_ns = platform::NowNs();
    if (observe_.blocked_calls) {
      blocked_.Look();
    }
    if (begin_ns >= next_collect_ns) {
      next_collect_ns = begin_ns + Nanoseconds(kCollectEvery);
      sampler_.Collect();
    }
    if (observe_.waits && begin_ns >= next_count_ns) {
      {
        const platform::MutexLock lock(counting_);
        census_.Take(platform::NowNs());
      }
      next_count_ns = begin_ns + (platform::NowNs() - begin_ns) * kCostShare;
    }
  }
}

void WorkerSampling::Restart() {
  const platform::MutexLock lock(stopping_);
  if (!report_) {
    sampler_.Restart();
    if (observe_.blocked_calls) {
      blocked_.Restart();
    }
    const platform::MutexLock counting(counting_);
    census_ = Census();
  }
}

SamplingReport WorkerSampling::Stop() {
  const platform::MutexLock lock(stopping_);
  if (!report_) {
    stop_.Set();
    collector_.reset();
    report_ = sampler_.Stop();
    blocked_.Stop();
  }
  return *report_;
}

}  // namespace schedbench::profile

#pragma once

#include "fibers/time/timer_queue.hpp"
#include "platform/time/clock.hpp"
#include "schedulers/pool/worker.hpp"

// How workers run the timers of their fibers. ../../src/fibers/time/README.md has the protocol.
namespace schedbench::schedulers {

// Resumes fibers whose deadlines have passed. Called now and then.
template <contracts::Policies P>
SB_ALWAYS_INLINE void Worker<P>::RunTimersIfAny() noexcept {
  if (pool_.Timers().IsUsed()) {
    RunSomeTimers();
  }
}

// Runs the timers of this worker, and of one other worker, which may be busy with a long task.
template <contracts::Policies P>
void Worker<P>::RunSomeTimers() noexcept {
  const std::uint64_t now = platform::NowNs();
  timers_.SetAwake(now);
  metrics.timers_run.Add(timers_.RunDue(now));
  if (!alone_) {
    const auto& workers = pool_.Workers();
    timers_of_ = timers_of_ + 1 < workers.size() ? timers_of_ + 1 : 0;
    if (timers_of_ != index_) {
      metrics.timers_stolen.Add(workers[timers_of_]->Timers().RunDue(now));
    }
  }
}

// Runs the timers of all workers before the worker sleeps. Returns whether a timer was due.
template <contracts::Policies P>
bool Worker<P>::RunAllTimers() noexcept {
  if (!pool_.Timers().IsUsed()) [[likely]] {
    return false;
  }
  const std::uint64_t now = platform::NowNs();
  const std::uint64_t own = timers_.RunDue(now);
  metrics.timers_run.Add(own);
  std::uint64_t stolen = 0;
  for (const auto& worker : pool_.Workers()) {
    if (worker->index_ != index_) {
      stolen += worker->Timers().RunDue(now);
    }
  }
  metrics.timers_stolen.Add(stolen);
  return own + stolen != 0;
}

}  // namespace schedbench::schedulers

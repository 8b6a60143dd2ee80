#include "timeline/live_recording.hpp"

#include "graph/recorder.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace schedbench::timeline {

void LiveRecording::Begin(registry::IScheduler& scheduler, unsigned bits) {
  const registry::Tracers tracers = scheduler.Tracers();
  // Allocate without the lock: a thread that gets no memory stops forever, and must not hold it.
  auto session = std::make_unique<trace::Session>(tracers.workers, bits, tracers.external);
  const platform::MutexLock lock(mutex_);
  session_ = std::move(session);
  if (stopped_) {
    session_->Stop();
  }
}

void LiveRecording::Discard() {
  const platform::MutexLock lock(mutex_);
  if (session_) {
    session_->Discard();
  }
}

void LiveRecording::Stop() {
  const platform::MutexLock lock(mutex_);
  stopped_ = true;
  if (session_) {
    session_->Stop();
  }
}

std::optional<Recording> LiveRecording::Take() const {
  const platform::MutexLock lock(mutex_);
  return session_ ? std::optional(Collect(*session_)) : std::nullopt;
}

std::optional<graph::TaskGraph> LiveRecording::TakeGraph(const CpuTimes& cpu) const {
  std::vector<std::vector<platform::OffCpu>> off;
  for (const WorkerOffCpu& worker : cpu.workers) {
    off.resize(std::max<std::size_t>(off.size(), std::size_t{worker.worker} + 1));
    off[worker.worker] = worker.off;
  }
  const platform::MutexLock lock(mutex_);
  return session_ ? std::optional(graph::GraphOf(*session_, off)) : std::nullopt;
}

}  // namespace schedbench::timeline

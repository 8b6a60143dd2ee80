#include "timeline/live_recording.hpp"

namespace schedbench::timeline {

void LiveRecording::Begin(registry::IScheduler& scheduler, unsigned bits) {
  const registry::Tracers tracers = scheduler.Tracers();
  const platform::MutexLock lock(mutex_);
  if (!stopped_ && !session_) {
    session_.emplace(tracers.workers, bits, tracers.outside);
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

}  // namespace schedbench::timeline

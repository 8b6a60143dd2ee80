#pragma once

#include "platform/clock_anchor.hpp"
#include "trace/event_ring.hpp"
#include "trace/tick_map.hpp"
#include "trace/tracer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace schedbench::trace {

// A recording of all workers of a pool: a ring for each, and the time on both clocks. It records from its construction to
// Stop(). Used by one thread, any but the workers'.
class Session {
 public:
  // `tracers`: of the workers, in the order of their indices. They outlive the session, and it outlives their workers' use
  // of them: Tracer::Stop() does not wait for an event that is just being recorded.
  explicit Session(std::span<Tracer* const> tracers, unsigned bits = EventRing::kDefaultBits)
      : tracers_(tracers.begin(), tracers.end()) {
    for (std::size_t worker = 0; worker < tracers_.size(); ++worker) {
      rings_.push_back(std::make_unique<EventRing>(static_cast<std::uint8_t>(worker), bits));
    }
    start_ = platform::ReadClockAnchor();
    for (std::size_t worker = 0; worker < tracers_.size(); ++worker) {
      tracers_[worker]->Start(*rings_[worker]);
    }
  }

  ~Session() {
    Stop();
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Ends the recording. Once; what comes after does nothing.
  void Stop() {
    if (stop_) {
      return;
    }
    for (Tracer* const tracer : tracers_) {
      tracer->Stop();
    }
    stop_ = platform::ReadClockAnchor();
  }

  std::size_t WorkerCount() const {
    return rings_.size();
  }

  // What is in a worker's ring. Also while it records, and without waiting for it: hence, of a full ring, all but one event.
  RingContent Read(std::size_t worker) const {
    return rings_[worker]->ReadLive();
  }

  // The clock of the events, up to Stop(), or while it records up to now.
  TickMap Clock() const {
    return {start_, stop_ ? *stop_ : platform::ReadClockAnchor()};
  }

 private:
  const std::vector<Tracer*> tracers_;
  std::vector<std::unique_ptr<EventRing>> rings_;
  platform::ClockAnchor start_;
  std::optional<platform::ClockAnchor> stop_;
};

}  // namespace schedbench::trace

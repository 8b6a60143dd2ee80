#pragma once

#include "platform/time/clock_anchor.hpp"
#include "trace/event_ring.hpp"
#include "trace/labels.hpp"
#include "trace/shared_tracer.hpp"
#include "trace/tick_map.hpp"
#include "trace/tracer.hpp"
#include "trace/worker_log.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace schedbench::trace {

// A recording of all workers of a pool from its construction to Stop(): a ring per worker, one for
// all other threads, and the time on both clocks. One thread uses it, not a worker.
class Session {
 public:
  // `tracers`: those of the workers, in the order of their indices. They outlive the session, and
  // it outlives their workers' use of them: Tracer::Stop() does not wait for an event that is being
  // recorded. `external`: the tracer of other threads, or null.
  explicit Session(std::span<Tracer* const> tracers, unsigned bits = EventRing::kDefaultBits,
                   SharedTracer* external = nullptr)
      : tracers_(tracers.begin(), tracers.end()),
        workers_(tracers.size()) {
    if (external != nullptr) {
      tracers_.push_back(&external->ForSession());
    }
    for (std::size_t worker = 0; worker < tracers_.size(); ++worker) {
      logs_.push_back(
          std::make_unique<WorkerLog>(static_cast<std::uint8_t>(worker), bits, labels_));
    }
    start_ = platform::ReadClockAnchor();
    for (std::size_t worker = 0; worker < tracers_.size(); ++worker) {
      tracers_[worker]->Start(*logs_[worker]);
    }
  }

  ~Session() {
    Stop();
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Ends the recording. Later calls have no effect.
  void Stop() {
    if (stop_) {
      return;
    }
    for (Tracer* const tracer : tracers_) {
      tracer->Stop();
    }
    stop_ = platform::ReadClockAnchor();
  }

  // Discards the events recorded so far, also while it records.
  void Discard() {
    for (const auto& log : logs_) {
      log->ring.Discard();
    }
  }

  std::size_t WorkerCount() const {
    return workers_;
  }

  // Returns the content of a worker's ring, also while it records: of a full ring all but one
  // event.
  RingContent Read(std::size_t worker) const {
    return logs_[worker]->ring.ReadLive();
  }

  // Returns the events of other threads; nothing if they are not recorded.
  RingContent ReadExternal() const {
    return logs_.size() > workers_ ? logs_.back()->ring.ReadLive() : RingContent();
  }

  // Returns the texts of the events' labels: Labels::Texts().
  std::vector<std::string> LabelTexts() const {
    return labels_.Texts();
  }

  // Returns the clock of the events, up to Stop() or, while it records, up to now.
  TickMap Clock() const {
    return {start_, stop_ ? *stop_ : platform::ReadClockAnchor()};
  }

 private:
  std::vector<Tracer*> tracers_;  // those of the workers, then perhaps that of other threads
  const std::size_t workers_;
  Labels labels_;
  std::vector<std::unique_ptr<WorkerLog>> logs_;
  platform::ClockAnchor start_;
  std::optional<platform::ClockAnchor> stop_;
};

}  // namespace schedbench::trace

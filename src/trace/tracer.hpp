#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "trace/event.hpp"
#include "trace/worker_log.hpp"

#include <cstdint>

namespace schedbench::trace {

// Records the events of a worker if tracing is on: a member of the worker, which alone records.
// When it is off, an event costs a load and a branch that is not taken.
class Tracer {
 public:
  Tracer() = default;
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // Starts tracing. `log` outlives the worker, because Stop() does not wait for an event that is
  // being recorded. Any thread, one at a time.
  void Start(WorkerLog& log) noexcept {
    // release: pairs with the acquire in Log(); the log is complete.
    log_.Store(&log, memory_order_release);
  }

  // Stops tracing, perhaps after one more event: to get all, read the ring once the worker was
  // idle.
  void Stop() noexcept {
    // relaxed: it frees nothing that the worker uses.
    log_.Store(nullptr, memory_order_relaxed);
  }

  bool IsOn() const noexcept {
    // relaxed: a hint.
    return log_.Load(memory_order_relaxed) != nullptr;
  }

  // Returns the log, or null when tracing is off. Only the worker calls it.
  SB_ALWAYS_INLINE WorkerLog* Log() const noexcept {
    // acquire: pairs with the release in Start(); the log is complete.
    return log_.Load(memory_order_acquire);
  }

  // Records an event if tracing is on. Only the worker calls it.
  SB_ALWAYS_INLINE void Record(EventKind kind, std::uint32_t fiber = 0,
                               std::uint32_t arg = 0) noexcept {
    if (WorkerLog* const log = Log(); log != nullptr) [[unlikely]] {
      log->ring.Record(kind, fiber, arg);
    }
  }

 private:
  Atomic<WorkerLog*> log_{nullptr};
};

}  // namespace schedbench::trace

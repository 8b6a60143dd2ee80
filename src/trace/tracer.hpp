#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "trace/event.hpp"
#include "trace/worker_log.hpp"

#include <cstdint>

namespace schedbench::trace {

// The place in a worker where its events are recorded, if tracing is on: a member of the worker, which alone records. Off, an
// event costs a load and a branch that is not taken.
class Tracer {
 public:
  Tracer() = default;
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // Any thread, one at a time. `log`: outlives the worker, as Stop() does not wait for an event that is being recorded.
  void Start(WorkerLog& log) noexcept {
    // release: pairs with the acquire in Log(); the log is made.
    log_.Store(&log, memory_order_release);
  }

  // The worker may record one more event meanwhile: to get all, read the ring after the worker has been idle.
  void Stop() noexcept {
    // relaxed: takes nothing away from the worker.
    log_.Store(nullptr, memory_order_relaxed);
  }

  bool IsOn() const noexcept {
    // relaxed: a hint.
    return log_.Load(memory_order_relaxed) != nullptr;
  }

  // By the worker. Null where tracing is off.
  SB_ALWAYS_INLINE WorkerLog* Log() const noexcept {
    // acquire: pairs with the release in Start(); the log is made.
    return log_.Load(memory_order_acquire);
  }

  // By the worker.
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

#pragma once

#include "platform/threads/mutex.hpp"
#include "trace/tracer.hpp"

namespace schedbench::trace {

// A Tracer for threads other than workers: their external submissions, including the timers'
// thread. Any thread. Only recording threads take a lock, because a ring has one writer.
class SharedTracer {
 public:
  SharedTracer() = default;
  SharedTracer(const SharedTracer&) = delete;
  SharedTracer& operator=(const SharedTracer&) = delete;

  bool IsOn() const noexcept {
    return tracer_.IsOn();
  }

  // Calls `record(tracer)`.
  template <typename Body>
  void With(const Body& record) noexcept {
    const platform::MutexLock lock(mutex_);
    record(tracer_);
  }

  // Returns the tracer for a Session, which starts and stops it.
  Tracer& ForSession() noexcept {
    return tracer_;
  }

 private:
  platform::Mutex mutex_;
  Tracer tracer_;
};

}  // namespace schedbench::trace

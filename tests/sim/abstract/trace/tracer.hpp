#pragma once

// Stands in for src/trace/tracer.hpp in models of schedulers: nothing is recorded. The ring has a
// model of its own.

#include "trace/event.hpp"

#include <cstdint>

namespace schedbench::trace {

class WorkerLog;

class Tracer {
 public:
  bool IsOn() const noexcept {
    return false;
  }

  void Record(EventKind /*kind*/, std::uint32_t /*fiber*/ = 0, std::uint32_t /*arg*/ = 0) noexcept {
  }
};

}  // namespace schedbench::trace

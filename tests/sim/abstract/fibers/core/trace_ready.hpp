#pragma once

// Stands in for src/fibers/core/trace_ready.hpp, as trace/tracer.hpp here.

#include "executors/hint.hpp"
#include "executors/task.hpp"
#include "trace/shared_tracer.hpp"

namespace schedbench::fibers {

template <typename Tracer>
void TraceReady(Tracer& /*tracer*/, executors::TaskBase& /*task*/,
                executors::SchedulerHint /*hint*/) noexcept {
}

}  // namespace schedbench::fibers

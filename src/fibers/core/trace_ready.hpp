#pragma once

#include "base/attributes.hpp"
#include "executors/hint.hpp"
#include "executors/task.hpp"
#include "trace/shared_tracer.hpp"
#include "trace/tracer.hpp"

namespace schedbench::fibers {

// Records that `task` can run, by its spawn or its wake, and sets its label and number in the
// recording. A fiber that yields is ready by its own action, which its switch event records.
void RecordReady(trace::WorkerLog& log, executors::TaskBase& task,
                 executors::SchedulerHint hint) noexcept;

// Records a ready task, if events are recorded. Its submitter calls this before others can see it.
SB_ALWAYS_INLINE void TraceReady(trace::Tracer& tracer, executors::TaskBase& task,
                                 executors::SchedulerHint hint) noexcept {
  if (trace::WorkerLog* const log = tracer.Log(); log != nullptr) [[unlikely]] {
    RecordReady(*log, task, hint);
  }
}

// Records that `task` can run, if events are recorded. For threads outside of the workers.
SB_ALWAYS_INLINE void TraceReady(trace::SharedTracer& shared, executors::TaskBase& task,
                                 executors::SchedulerHint hint) noexcept {
  if (shared.IsOn()) [[unlikely]] {
    shared.With([&](trace::Tracer& tracer) { TraceReady(tracer, task, hint); });
  }
}

}  // namespace schedbench::fibers

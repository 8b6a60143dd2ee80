#include "fibers/core/trace_ready.hpp"

#include "fibers/core/fiber.hpp"

#include <source_location>

namespace schedbench::fibers {

namespace {

trace::Label LabelOf(trace::WorkerLog& log, const Fiber& fiber) noexcept {
  if (!fiber.Name().empty()) {
    return log.LabelOfName(fiber.Name());
  }
  const std::source_location place = fiber.StartedAt();
  return log.LabelOfPlace(place.file_name(), place.line());
}

}  // namespace

void RecordReady(trace::WorkerLog& log, executors::TaskBase& task,
                 executors::SchedulerHint hint) noexcept {
  using executors::TaskKind;
  using trace::EventKind;
  switch (task.kind) {
    case TaskKind::kSuspendedFiber:
      if (hint != executors::SchedulerHint::Yield) {
        log.ring.Record(EventKind::kWake, task.trace_number, static_cast<std::uint32_t>(hint));
      }
      return;
    case TaskKind::kNewFiber:
      task.trace_label = LabelOf(log, static_cast<const Fiber&>(task));
      break;
    case TaskKind::kPlain:
      // The number is new each time, because one object may be submitted many times.
      task.trace_number = log.NextTask();
      break;
  }
  log.ring.Record(EventKind::kSpawn, task.trace_number, task.trace_label);
}

}  // namespace schedbench::fibers

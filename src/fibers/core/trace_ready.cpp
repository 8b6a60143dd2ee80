#include "fibers/core/trace_ready.hpp"

#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_facts.hpp"

#include <source_location>
#include <string>
#include <string_view>

namespace schedbench::fibers {

namespace {

// "pingpong.hpp:31".
std::string PlaceText(const std::source_location& place) {
  const std::string_view file = place.file_name();
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(place.line());
}

trace::Label LabelOf(trace::WorkerLog& log, const Fiber& fiber) noexcept {
  if (!fiber.Name().empty()) {
    return log.LabelOfName(std::string(fiber.Name()));
  }
  const std::source_location place = FiberFacts::StartOf(fiber);
  return log.LabelOfPlace(place.file_name(), place.line(), [&place] {
    return PlaceText(place);
  });
}

}  // namespace

void RecordReady(trace::WorkerLog& log, executors::TaskBase& task,
                 executors::SchedulerHint hint) noexcept {
  using executors::TaskKind;
  using trace::EventKind;
  switch (task.kind) {
    case TaskKind::kSuspendedFiber:
      if (hint != executors::SchedulerHint::Yield) {
        log.ring.Record(EventKind::kWake, task.trace_number);
      }
      return;
    case TaskKind::kNewFiber:
      task.trace_label = LabelOf(log, static_cast<const Fiber&>(task));
      break;
    case TaskKind::kPlain:
      // Anew each time: one object may be submitted again and again.
      task.trace_number = log.NextTask();
      break;
  }
  log.ring.Record(EventKind::kSpawn, task.trace_number, task.trace_label);
}

}  // namespace schedbench::fibers

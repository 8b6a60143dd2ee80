#pragma once

#include "registry/scheduler.hpp"

#include <vector>

namespace schedbench::schedulers {

// Returns what the workers have counted and timed, in the order of `workers`, which holds pointers
// to workers with `metrics` and `times`. Any thread.
template <typename Workers>
std::vector<registry::WorkerReading> ReadWorkers(const Workers& workers) {
  std::vector<registry::WorkerReading> readings;
  for (const auto& worker : workers) {
    readings.push_back({.values = metrics::ReadMetrics(worker->metrics),
                        .wakeup_ticks = worker->times.Wakeups(),
                        .run_ticks = worker->times.Runs()});
  }
  return readings;
}

// Returns the event recorders of the workers, in their order, and that of external submissions.
template <typename Workers>
registry::Tracers TracersOf(const Workers& workers, trace::SharedTracer& external) {
  registry::Tracers tracers{.external = &external};
  for (const auto& worker : workers) {
    tracers.workers.push_back(&worker->Tracing());
  }
  return tracers;
}

}  // namespace schedbench::schedulers

#pragma once

#include "graph/task_graph.hpp"
#include "platform/threads/cpu_switches.hpp"
#include "trace/event.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::graph {

// An event of a worker (trace::Event), in nanoseconds of one clock for all workers.
struct Event {
  std::uint64_t ns = 0;
  std::uint32_t fiber = 0;
  std::uint16_t arg = 0;
  trace::EventKind kind = trace::EventKind::kSwitch;
};

// What one worker did, or all that is no worker.
struct Track {
  bool is_worker = true;
  std::vector<Event> events{};    // in the order in which they happened; times never go back
  std::uint64_t overwritten = 0;  // events before the first
  // When the kernel took the CPU from the worker, in the order of time: another thread's time is no computation.
  std::vector<platform::OffCpu> off{};
};

struct BuildOptions {
  std::uint64_t end_ns = 0;           // the recording stopped here; 0: at the last event
  std::vector<std::string> labels{};  // what trace::Label numbers mean
};

// Makes a graph of what happened. Tasks are numbered depth first: by the task that spawns them, and by the order of its steps. So
// the same program has the same numbers in each run. Check() finds nothing in it, but for a cycle where events contradict each
// other.
//
// A fiber that has suspended without an end of its wait in the recording ends with the step before. What comes before the
// first event of a track that has overwritten some is left out; a fiber that had begun by then is spawned where it is first seen.
TaskGraph Build(const std::vector<Track>& tracks, const BuildOptions& options);

}  // namespace schedbench::graph

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

// The actions of one worker, or of all that are not workers.
struct Track {
  bool is_worker = true;
  std::vector<Event> events{};    // in the order of events; times never decrease
  std::uint64_t overwritten = 0;  // events before the first
  // Times without a CPU, which are not computations, in their order.
  std::vector<platform::OffCpu> off{};
};

struct BuildOptions {
  std::uint64_t end_ns = 0;           // end of the recording; 0: the last event
  std::vector<std::string> labels{};  // meaning of trace::Label numbers
};

// Makes a graph of events. Tasks are numbered depth first: by the task that spawns them, and by the
// order of its steps, so a program has equal numbers in each run. Check() finds nothing in it,
// except a cycle if events contradict each other.
// A fiber whose wait does not end in the recording ends with the step before it. Events before the
// first event of a track that has overwritten some are left out; a fiber that had begun by then is
// spawned where it is first seen.
TaskGraph Build(const std::vector<Track>& tracks, const BuildOptions& options);

}  // namespace schedbench::graph

#pragma once

#include "graph/task_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::graph {

// A part of the critical path: what tasks with one label computed on it.
struct PathPart {
  std::uint32_t label = 0;  // in TaskGraph::labels
  std::uint64_t ns = 0;
  std::size_t runs = 0;  // computations
};

// What a graph allows, whatever the scheduler is. Lengths are as recorded (TaskGraph::RecordedNs()).
struct Analysis {
  std::uint64_t work_ns =
      0;  // of all computations: the time on one worker with a scheduler that costs nothing
  std::uint64_t span_ns =
      0;  // of the critical path: the time on any number of workers with such a scheduler
  std::uint64_t outside_ns = 0;  // of the span: waits that something outside the tasks ended
  std::size_t path_tasks =
      0;  // the critical path goes from one task to another so many times, and once more
  std::vector<PathPart> path{};  // the longest first
  std::size_t fibers = 0;        // kOutside does not count
  std::size_t plain_tasks = 0;
  std::size_t yields = 0;

  // How many workers can be busy on average.
  double Parallelism() const {
    return span_ns == 0 ? 0.0 : static_cast<double>(work_ns) / static_cast<double>(span_ns);
  }
};

// Returns the share of the makespan during which outside spawns and wakes tasks.
double OutsideShare(const TaskGraph& graph);

// Whether it does so during a good part: then only a replay at the recorded times takes as long.
bool ComesOverTime(const TaskGraph& graph);

// Requires: Check(graph) is "". A spawn from outside is ready at the start; a wait that something outside has ended takes as long as it
// did.
Analysis Analyse(const TaskGraph& graph);

}  // namespace schedbench::graph

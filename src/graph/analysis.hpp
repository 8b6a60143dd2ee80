#pragma once

#include "graph/task_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::graph {

// A part of the critical path: the computations of tasks with one label.
struct PathPart {
  std::uint32_t label = 0;  // index in TaskGraph::labels
  std::uint64_t ns = 0;
  std::size_t runs = 0;  // number of computations
};

// The limits that a graph sets for any scheduler, by its TaskGraph::RecordedNs().
struct Analysis {
  // All computations: the time on one worker with a scheduler without costs.
  std::uint64_t work_ns = 0;
  // The critical path: the time on any number of workers with such a scheduler.
  std::uint64_t span_ns = 0;
  std::uint64_t outside_ns = 0;  // part of the span: waits that something outside the tasks ended
  // Number of tasks along the critical path: one more than its changes of task.
  std::size_t path_tasks = 0;
  std::vector<PathPart> path{};  // the longest first
  std::size_t fibers = 0;        // without kOutside
  std::size_t plain_tasks = 0;
  std::size_t yields = 0;

  // Returns how many workers can be busy on average.
  double Parallelism() const {
    return span_ns == 0 ? 0.0 : static_cast<double>(work_ns) / static_cast<double>(span_ns);
  }
};

// Returns the share of the makespan during which kOutside spawns and wakes tasks.
double OutsideShare(const TaskGraph& graph);

// Returns whether this share is large: then only a replay at the recorded times takes as long.
bool ComesOverTime(const TaskGraph& graph);

// Analyses a graph. Requires: Check(graph) is "". A spawn from outside is ready at the start; a
// wait that something outside ended keeps its recorded length.
Analysis Analyse(const TaskGraph& graph);

}  // namespace schedbench::graph

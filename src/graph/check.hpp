#pragma once

#include "graph/task_graph.hpp"

#include <string>

namespace schedbench::graph {

// Returns what is wrong with a graph, whose spans of steps are in range; "" if it can be replayed:
// numbers are in range, each task except kOutside is spawned once, each wait is begun once and
// ended once, plain tasks do not wait or yield, no step takes longer than a day, and none depends
// on itself. A graph must have a task.
std::string Check(const TaskGraph& graph);

}  // namespace schedbench::graph

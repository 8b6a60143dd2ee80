#pragma once

#include "graph/task_graph.hpp"

#include <vector>

namespace schedbench::graph {

// Returns the graph with the least work of several recordings of a program: what disturbs a recording makes its computations longer.
// If some of the others have the same steps, the lengths of its steps, and its makespan, are the medians of all of them: a disturbance
// is in one recording at a time, and no overhead can undo it. Requires: at least one graph.
TaskGraph MedianGraph(std::vector<TaskGraph> recordings);

}  // namespace schedbench::graph

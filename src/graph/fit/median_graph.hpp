#pragma once

#include "graph/task_graph.hpp"

#include <vector>

namespace schedbench::graph {

// Makes one graph of several recordings of a program. It is the recording with the least work, because what disturbs a recording
// makes its computations longer; one that lost no events, if there is one. If at least three recordings have its steps, the lengths
// of its steps and its makespan are the medians of these: a disturbance of one recording has no effect. Requires: at least one graph.
TaskGraph MedianGraph(std::vector<TaskGraph> recordings);

}  // namespace schedbench::graph

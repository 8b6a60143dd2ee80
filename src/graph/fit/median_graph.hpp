#pragma once

#include "graph/task_graph.hpp"

#include <vector>

namespace schedbench::graph {

// Makes one graph of several recordings of a program: the recording with the least work, because
// disturbances make computations longer; one that lost no events, if there is one. If at least
// three recordings have its steps, the lengths of its steps and its makespan are their medians, so
// one disturbed recording has no effect. Requires: at least one graph.
TaskGraph MedianGraph(std::vector<TaskGraph> recordings);

}  // namespace schedbench::graph

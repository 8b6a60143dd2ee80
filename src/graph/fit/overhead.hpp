#pragma once

#include "graph/task_graph.hpp"

namespace schedbench::graph {

// Changes the overhead of `graph` (none: 0) by what a recording of its replay shows too much, for
// each pair of steps: the mean length in `replayed`, less the mean length in `graph`. Both ignore
// the longest hundredth of lengths, where other programs had the CPU. After some repetitions the
// recorded lengths of a replay agree with those of `graph`.
void FitOverhead(TaskGraph& graph, const TaskGraph& replayed);

// Adds `ns` to the overhead of each pair of steps, at most up to the longest computation of the
// pair. Pairs are rounded up or down, so that all computations together change by `ns` each. A pair
// with few computations gets no additional overhead.
void ShiftOverhead(TaskGraph& graph, double ns);

}  // namespace schedbench::graph

#pragma once

#include "graph/task_graph.hpp"

#include <cstdint>

namespace schedbench::workloads {

// Returns a graph that needs no file: `fibers` fibers, which spawn, wake, wait and yield in all
// orders, after computations of half a microsecond. Equal numbers give equal graphs.
graph::TaskGraph ExampleGraph(std::uint32_t fibers);

}  // namespace schedbench::workloads

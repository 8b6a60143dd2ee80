#pragma once

#include "graph/task_graph.hpp"

#include <cstdint>

namespace schedbench::workloads {

// Returns a graph that needs no file: `fibers` fibers, which spawn, wake, wait and yield in all orders, with a computation of half a
// microsecond before each of these. The same number gives the same graph.
graph::TaskGraph ExampleGraph(std::uint32_t fibers);

}  // namespace schedbench::workloads

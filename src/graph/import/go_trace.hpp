#pragma once

#include "graph/task_graph.hpp"

#include <string_view>

namespace schedbench::graph {

// Whether the bytes begin as an execution trace of a Go program does (runtime/trace).
bool IsGoTrace(std::string_view bytes);

// Makes a graph of an execution trace in the formats of Go 1.11 to 1.26. A goroutine is a fiber, a
// P is a worker. A goroutine in a system call waits for something outside: until Go 1.21 from when
// it has lost its P, since 1.22 from its begin, as `go tool trace` of these versions counts.
// Goroutines of the runtime, such as those that collect garbage, are tasks too. Throws FormatError.
TaskGraph ReadGoTrace(std::string_view bytes);

}  // namespace schedbench::graph

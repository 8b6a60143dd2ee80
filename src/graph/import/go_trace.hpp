#pragma once

#include "graph/task_graph.hpp"

#include <string_view>

namespace schedbench::graph {

// Returns whether the bytes begin like an execution trace of a Go program (runtime/trace).
bool IsGoTrace(std::string_view bytes);

// Makes a graph of an execution trace in the formats of Go 1.11 to 1.26. A goroutine is a fiber, a
// P is a worker. A goroutine in a system call waits for something outside: until Go 1.21 from the
// loss of its P, since 1.22 from the start of the call, as `go tool trace` of these versions
// counts. The runtime's own goroutines are tasks too. Throws FormatError.
TaskGraph ReadGoTrace(std::string_view bytes);

}  // namespace schedbench::graph

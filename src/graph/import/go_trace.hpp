#pragma once

#include "graph/task_graph.hpp"

#include <string_view>

namespace schedbench::graph {

// Whether the bytes begin as an execution trace of a Go program does (runtime/trace).
bool IsGoTrace(std::string_view bytes);

// Makes a graph of an execution trace in the format of Go 1.11 to 1.20. A goroutine is a fiber, a P is a worker. A goroutine in a
// system call that has lost its P waits for something outside. Goroutines of the runtime, such as those that collect garbage, are
// tasks too. Throws FormatError.
TaskGraph ReadGoTrace(std::string_view bytes);

}  // namespace schedbench::graph

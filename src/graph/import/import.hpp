#pragma once

#include "graph/task_graph.hpp"

#include <string>

namespace schedbench::graph {

// Reads a task graph, an execution trace of Go or a trace in Chrome's JSON format, distinguished by
// their first bytes. "-" is stdin. Throws FormatError, whose text begins with the name.
TaskGraph ReadAnyGraph(const std::string& path);

}  // namespace schedbench::graph

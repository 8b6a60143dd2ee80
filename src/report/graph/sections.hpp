#pragma once

#include "graph/analysis.hpp"
#include "graph/task_graph.hpp"
#include "report/document/document.hpp"

#include <vector>

namespace schedbench::report {

// Returns a task graph's origin, size, work and span, critical path, and hash. Pure.
std::vector<Section> GraphSections(const graph::TaskGraph& graph, const graph::Analysis& analysis,
                                   const TerminalStyle& style);

}  // namespace schedbench::report

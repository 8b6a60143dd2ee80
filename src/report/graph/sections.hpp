#pragma once

#include "graph/analysis.hpp"
#include "graph/task_graph.hpp"
#include "report/document/document.hpp"

#include <vector>

namespace schedbench::report {

// Returns what is known of a task graph: its origin, size, work and span, the critical path, and its hash. Pure.
std::vector<Section> GraphSections(const graph::TaskGraph& graph, const graph::Analysis& analysis,
                                   const TerminalStyle& style);

}  // namespace schedbench::report

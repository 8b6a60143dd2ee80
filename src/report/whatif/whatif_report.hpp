#pragma once

#include "graph/analysis.hpp"
#include "graph/task_graph.hpp"
#include "harness/whatif/whatif.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <vector>

// The result of schedbench whatif. Pure; thread-safe.

namespace schedbench::report {

struct WhatIfReport {
  std::string file;  // file of the graph
  graph::TaskGraph graph;
  graph::Analysis analysis;
  harness::WhatIfResult result;
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// Returns the graph, predictions next to measurements, and the scheduler's best change.
Document DocumentOf(const WhatIfReport& report, const TerminalStyle& style);

// Returns the JSON record of the result, with the costs and each round.
record::Record RecordOf(const WhatIfReport* /*type*/);

}  // namespace schedbench::report

#pragma once

#include "harness/metg/metg.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <vector>

// The result of schedbench metg. Pure; thread-safe.

namespace schedbench::report {

struct MetgResult {
  harness::MetgPlan plan;
  harness::MetgData data;
  std::vector<harness::MetgCurve> curves;  // curves of AnalyseMetg()
  std::string perturbed;                   // what disturbed it on purpose; "" for nothing
  platform::MachineInfo machine;           // at the start
  std::vector<std::string> command;        // the command line
};

// Returns the results and the efficiencies by grain of each workload, and failures.
Document DocumentOf(const MetgResult& result, const TerminalStyle& style);

// Returns the JSON record of the result with every round.
record::Record RecordOf(const MetgResult* /*type*/);

}  // namespace schedbench::report

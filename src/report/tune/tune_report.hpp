#pragma once

#include "harness/tune/decision.hpp"
#include "harness/tune/importance.hpp"
#include "harness/tune/plan.hpp"
#include "harness/tune/tuner.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <vector>

// The result of schedbench tune. Pure; thread-safe.

namespace schedbench::report {

struct TuneResult {
  harness::TunePlan plan;
  harness::TuneData data;
  harness::TuneDecision decision;                    // result of Decide()
  std::vector<harness::FieldImportance> importance;  // result of ImportanceOf()
  std::string saved_config = "";     // the file with the config of the answer; "": none
  platform::MachineInfo machine;     // at the start
  std::vector<std::string> command;  // the command line
};

// Returns the answer, the comparison, the search's rungs, each field's importance, failures.
Document DocumentOf(const TuneResult& result, const TerminalStyle& style);

// Returns the JSON record of the result with every round.
record::Record RecordOf(const TuneResult* /*type*/);

// Returns the evidence for the config of the answer, for a note in its file: an object.
Json TuneEvidence(const TuneResult& result);

}  // namespace schedbench::report

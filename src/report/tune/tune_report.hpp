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
  harness::TuneDecision decision;                    // Decide()
  std::vector<harness::FieldImportance> importance;  // ImportanceOf()
  std::string saved_config = "";     // the file with the config of the answer; "": none
  platform::MachineInfo machine;     // at the start
  std::vector<std::string> command;  // the command line
};

// The answer, the comparison on fresh data, the rungs of the search, the importance of each field,
// failures.
Document DocumentOf(const TuneResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
const record::Record& RecordOf(const TuneResult* /*type*/);

// What proves the config of the answer, for a note in its file: an object.
Json TuneEvidence(const TuneResult& result);

}  // namespace schedbench::report

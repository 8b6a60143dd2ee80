#pragma once

#include "harness/load/analysis.hpp"
#include "harness/load/load.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <cstddef>
#include <string>
#include <vector>

// The result of schedbench load. Pure; thread-safe.

namespace schedbench::report {

struct LoadResult {
  harness::LoadPlan plan;
  harness::LoadData data;
  harness::LoadAnalysis analysis;
  platform::MachineInfo machine;  // machine of the command
  std::vector<std::string> command;
};

// Returns rates, the latencies of all and each generator, the server, the clocks and the machines.
Document DocumentOf(const LoadResult& result, const TerminalStyle& style);

// Returns the JSON record of the result, with the counts of each part.
record::Record RecordOf(const LoadResult* /*type*/);

// Returns what limits the meaning of the result: holes, requests without an answer, delayed
// requests, a rate that was not reached.
std::vector<Note> NotesOn(const LoadResult& result);

// Returns all machines of the result; this one is "local".
std::vector<harness::PlacePtr> MachinesOf(const LoadResult& result);

// Returns "n1", "n1 (2)": the name of a part among the parts of its kind, whose machines are given.
std::string PartName(const std::vector<harness::PlacePtr>& places, std::size_t part);

}  // namespace schedbench::report

#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {
record::Of<Alternative> RecordOf(const Alternative* /*type*/);
}  // namespace schedbench::harness

namespace schedbench::report {

// A complete or interrupted comparison. Reports use only this and registry::ThisBuild().
struct ComparisonResult {
  harness::ComparisonPlan plan;
  harness::ExperimentData data;
  harness::Comparison comparison;
  std::vector<harness::GateResult> gates;  // in the order of the report
  double min_effect = 0;
  double throughput_floor = 0;       // resolution of throughput by --doctor; 0: without it
  std::string perturbed = "";        // what disturbed it on purpose; "" for nothing
  bool verbose = false;              // whether people see all details
  platform::MachineInfo machine;     // at the start
  std::vector<std::string> command;  // the command line
};

// Notes that the planned blocks are too few for intervals of `comparisons` ratios; none if they
// suffice, or belong to a saved result.
std::optional<Note> NoteOnBlocks(const harness::ComparisonPlan& plan, std::size_t comparisons);

// Returns for each workload every metric of every alternative, the ratio to the first with its
// interval and verdict, and the metrics that changed; then a sentence for each alternative, and the
// gates. A page also has charts of the ratios, the blocks and the latencies.
Document DocumentOf(const ComparisonResult& result, const TerminalStyle& style);

// Returns the first metric of all alternatives and workloads as ratios: a row for each alternative,
// the best one first, and a column for each workload; then the meaning of the symbols. A narrow
// style gets shorter names, then no conclusion, and at last several tables.
std::string RenderMatrix(const ComparisonResult& result, const TerminalStyle& style);

// Returns the JSON record of the result with every round.
record::Record RecordOf(const ComparisonResult* /*type*/);

// Returns the rounds for the tools of Google Benchmark: a benchmark is a workload under an
// alternative, and a repetition is a round of it, in the order of the blocks.
std::vector<Repetitions> RepetitionsOf(const ComparisonResult& result);

}  // namespace schedbench::report

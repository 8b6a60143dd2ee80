#pragma once

#include "harness/study/study.hpp"
#include "profile/graph_page.hpp"
#include "profile/views.hpp"
#include "record/record.hpp"
#include "report/comparison/comparison.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/document/document.hpp"
#include "timeline/summary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

// What one side of the largest difference does, observed in runs of its own.
struct ObservedSide {
  std::string name;                         // of the alternative
  std::vector<profile::Graph> graphs = {};  // the same kinds of each side: CPU time, waits
  std::vector<profile::HotFrame> hottest = {};
  std::optional<timeline::Summary> timeline = {};  // none: its scheduler records no events
  std::string timeline_page = "";                  // HTML; "" without pages
};

// The result of a study.
struct StudyResult {
  std::string name;
  std::vector<harness::StudyProblem> problems = {};  // of each workload of `comparison`
  ComparisonResult comparison = {};
  std::optional<harness::ComparedRow> largest = {};  // the difference that is explained
  std::vector<ObservedSide> sides = {};              // of it: the reference, then the alternative
  std::string unobserved = "";                       // why there are none
  std::vector<Sentence> again = {};                  // commands that repeat parts
  std::optional<DoctorResult> doctor = {};  // before the measurement; none: it is a saved one
};

// Returns the performance profiles, the verdicts, what explains the largest difference, and the
// findings on the machine. Pure.
Document DocumentOf(const StudyResult& result, const TerminalStyle& style);

// The keys of the result: the same, and the comparison with every round.
const record::Record& RecordOf(const StudyResult* /*type*/);

}  // namespace schedbench::report

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

// One side of the largest difference, observed in runs of its own.
struct ObservedSide {
  std::string name;                         // name of the alternative
  std::vector<profile::Graph> graphs = {};  // equal kinds for each side: CPU time, waits
  std::vector<profile::HotFrame> hottest = {};
  std::optional<timeline::Summary> timeline = {};  // none: its scheduler does not record events
  std::string timeline_page = "";                  // HTML; "" without pages
};

// The result of a study.
struct StudyResult {
  std::string name;
  std::vector<harness::StudyProblem> problems = {};  // problem of each workload of `comparison`
  ComparisonResult comparison = {};
  std::optional<harness::ComparedRow> largest = {};  // the explained difference
  std::vector<ObservedSide> sides = {};              // its reference, then the alternative
  std::string unobserved = "";                       // why there are no sides
  std::vector<Sentence> again = {};                  // commands that repeat parts
  std::optional<DoctorResult> doctor = {};           // before the measurement; none: it is saved
};

// Returns performance profiles, verdicts, the largest difference explained, and findings. Pure.
Document DocumentOf(const StudyResult& result, const TerminalStyle& style);

// Returns the JSON record of the result, and of the comparison with every round.
record::Record RecordOf(const StudyResult* /*type*/);

}  // namespace schedbench::report

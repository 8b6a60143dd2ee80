#pragma once

#include "cli/flags/arguments.hpp"
#include "report/study/study_report.hpp"

#include <span>
#include <string>

// Saved results as the problems of a study.

namespace schedbench::cli {

// Sets the problems, the plan and the data from results of compare or study. `result` already has
// its machine and metrics. Throws config::InputError if a file is not such a result, and
// NotComparable if it is of another machine or build, or has other alternatives, rounds in a block
// or warm-up rounds than the first file.
void ReadProblems(std::span<const std::string> files, report::StudyResult& result);

}  // namespace schedbench::cli

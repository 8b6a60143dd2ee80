#pragma once

#include "cli/flags/arguments.hpp"
#include "report/study/study_report.hpp"

#include <chrono>
#include <functional>

// What explains the largest difference of a study.

namespace schedbench::cli {

// Sets the difference that is explained: of two schedulers of this program, if one is proven,
// because only these can be observed; and of the metric by which the workload ranks, if possible.
// Adds the commands that observe its sides, and why its sides cannot be observed.
void ChooseDifference(report::StudyResult& result);

// Samples, and then records, both sides in this process, each for this time, under the perturbation
// of the problem. Does not return if a run fails or is interrupted: the process ends with the
// report of that, then `deliver`, and the code of that. Requires: ChooseDifference(); no other
// thread.
void ObserveSides(const Arguments& arguments, std::chrono::nanoseconds time,
                  const std::function<void()>& deliver, report::StudyResult& result);

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "report/study/study_report.hpp"

#include <chrono>
#include <functional>

// The explanation of the largest difference of a study.

namespace schedbench::cli {

// Chooses the difference to explain: between two schedulers of this program, if one is proven,
// because only these can be observed; in the metric by which the workload ranks, if possible. Adds
// the commands that observe its sides, or why they cannot be observed.
void ChooseDifference(report::StudyResult& result);

// Samples, and then records, both sides in this process, each for this time, under the perturbation
// of the problem. If a run fails or is interrupted, it does not return: the process ends with its
// report, then `deliver`, and its code. Requires: ChooseDifference(); no other thread.
void ObserveSides(const Arguments& arguments, std::chrono::nanoseconds time,
                  const std::function<void()>& deliver, report::StudyResult& result);

}  // namespace schedbench::cli

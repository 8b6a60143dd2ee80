#pragma once

#include "harness/experiment/measure.hpp"

#include <cstdint>
#include <string>

namespace schedbench::report {

// Returns "[####................] 22 %  round 9 of 40, warming up, 3 min 20 s left". The estimate
// uses the `seconds` of the finished rounds; there is none before the first. Pure; thread-safe.
std::string ProgressText(std::uint32_t done, std::uint32_t of, bool warming_up, double seconds);

// Returns "[####................] 20 %  at most 48 s left" for a measurement that ends after
// `budget` seconds. Pure; thread-safe.
std::string BudgetText(double passed, double budget);

// Returns "12 s", "3 min 20 s", "2 h 5 min": as exact as an estimate. Pure; thread-safe.
std::string TimeText(double seconds);

// Returns "[####................] 20 %  block 5 of 20, 3 of 12 cells settled, at most 48 s left";
// for a single block "cell 3 of 12". Pure; thread-safe.
std::string CellsProgressText(const harness::ExperimentProgress& progress);

}  // namespace schedbench::report

#pragma once

#include <cstdint>
#include <string>

namespace schedbench::report {

// "[####................] 22 %  round 9 of 40, warming up, 3 min 20 s left". The estimate uses the `seconds` of the finished
// rounds; before the first there is none. Pure; thread-safe.
std::string ProgressText(std::uint32_t done, std::uint32_t of, bool warming_up, double seconds);

// "[####................] 20 %  at most 48 s left": of a measurement that ends after `budget` seconds. Pure; thread-safe.
std::string BudgetText(double passed, double budget);

}  // namespace schedbench::report

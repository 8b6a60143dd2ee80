#pragma once

#include <string>

namespace schedbench::tests {

// Prints what the counters of the workers cost `fast`, and those of them that WaitIdle relies on:
// its time compared with that of builds of the same sources that count less. About a minute.
void PrintCostOfCounting();

// What the other builds are asked for, and this one: prints the nanoseconds of an operation, the
// median of some rounds.
void PrintOneFigure(const std::string& scheduler_spec, const std::string& workload_spec,
                    const std::string& workers);

}  // namespace schedbench::tests

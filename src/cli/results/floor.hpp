#pragma once

#include "cli/command.hpp"
#include "platform/machine/machine_info.hpp"

namespace schedbench::cli {

inline constexpr Flag kDoctorFlag{
    "--doctor", "", "FILE",
    "Nor do those of throughput that doctor -o FILE.json found too small to be resolved here"};

// Returns the smallest difference of throughput that the doctor's A/A run could have resolved, of the file of --doctor:
// 0.01 is one percent; 0 without the flag. Throws config::InputError of what is no such result or has no A/A run,
// NotComparable of another machine or build.
double FloorOf(const Arguments& arguments, const platform::MachineInfo& machine);

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "platform/machine/machine_info.hpp"

#include <optional>
#include <string>
#include <vector>

// Saved results for a comparison: a baseline, and the resolution of this machine.

namespace schedbench::cli {

inline constexpr auto kBaselineFlag =
    TextFlag{
        "--baseline", "", "FILE",
        "Compare each alternative with the one of its name in the result of compare -o FILE.json"}
        .Reads();

struct Baseline {
  std::string file;
  std::vector<harness::Alternative> alternatives;    // references of the others
  std::vector<std::vector<harness::Series>> series;  // [workload of the plan][alternative]
  std::vector<std::size_t> against;  // index in `alternatives`, for each alternative of the plan
};

// Reads the file of --baseline for this plan; none without the flag. Each alternative is compared
// with the saved one of its name, otherwise with the first saved one. Throws config::InputError if
// the file is not such a result, and NotComparable.
std::optional<Baseline> ReadBaseline(const Arguments& arguments,
                                     const harness::ComparisonPlan& plan,
                                     const platform::MachineInfo& machine);

// Puts the saved alternatives in front of the measured ones.
void Join(const Baseline& baseline, harness::ComparisonPlan& plan, harness::ExperimentData& data);

inline constexpr auto kDoctorFlag =
    TextFlag{"--doctor", "", "FILE",
             "Raise --min-effect of throughput to the resolution that doctor -o FILE.json measured"}
        .Reads();

// Returns the smallest difference of throughput that the A/A run in the file of --doctor could
// resolve (0.01 is one percent), or 0 without the flag. Throws config::InputError if the file is
// not such a result or lacks an A/A run, and NotComparable if it is of another machine or build.
double FloorOf(const Arguments& arguments, const platform::MachineInfo& machine);

}  // namespace schedbench::cli

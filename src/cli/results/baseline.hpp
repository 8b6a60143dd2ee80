#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/compare/plan.hpp"
#include "harness/compare/sampler.hpp"
#include "platform/machine/machine_info.hpp"

#include <optional>
#include <string>
#include <vector>

// Saved results that a comparison takes into account: a baseline, and the resolution of this machine.

namespace schedbench::cli {

inline constexpr Flag kBaselineFlag{
    "--baseline", "", "FILE",
    "Compare with what a former compare -o FILE.json measured, each with its own name"};

struct Baseline {
  std::string file;
  std::vector<harness::Alternative> alternatives;    // those that somebody is compared with
  std::vector<std::vector<harness::Series>> series;  // [workload of the plan][alternative]
  std::vector<std::size_t> against;  // of each in the plan: its place in `alternatives`
};

// Reads the file of --baseline, if there is one, for this plan. Each alternative is compared with the saved one of its name, or
// else with the first that was saved. Throws config::InputError of what is no such result, NotComparable.
std::optional<Baseline> ReadBaseline(const Arguments& arguments,
                                     const harness::ComparisonPlan& plan,
                                     const platform::MachineInfo& machine);

// Puts the saved ones in front of those that were measured.
void Join(const Baseline& baseline, harness::ComparisonPlan& plan, harness::ComparisonData& data);

inline constexpr Flag kDoctorFlag{
    "--doctor", "", "FILE",
    "Nor do those of throughput that doctor -o FILE.json found too small to be resolved here"};

// Returns the smallest difference of throughput that the doctor's A/A run could have resolved, of the file of --doctor:
// 0.01 is one percent; 0 without the flag. Throws config::InputError of what is no such result or has no A/A run,
// NotComparable of another machine or build.
double FloorOf(const Arguments& arguments, const platform::MachineInfo& machine);

}  // namespace schedbench::cli

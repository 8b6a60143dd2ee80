#pragma once

#include "harness/plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// A plan in words. Pure; thread-safe.

namespace schedbench::report {

// "fast(lifo_limit=0)": the settings that differ from the defaults, without the workers, which are shown beside it.
std::string SchedulerText(const harness::RunPlan& plan);

// "pingpong(pairs=64, rounds=10000)": all of its parameters.
std::string WorkloadText(const harness::RunPlan& plan);

// Returns the workload of a plan as --workload takes it, with the parameters that are not the defaults:
// "yield:fibers=10,yields=20".
std::string WorkloadSpec(const harness::RunPlan& plan);

// "1 round", "20 rounds"
std::string Plural(std::uint64_t count, std::string_view noun);

}  // namespace schedbench::report

#pragma once

#include "harness/plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// A plan in words. Pure; thread-safe.

namespace schedbench::report {

// Returns "fast(lifo_limit=0)": the settings that are not defaults, without the workers.
std::string SchedulerText(const harness::RunPlan& plan);

// Returns "pingpong(pairs=64, rounds=10000)": all of its parameters.
std::string WorkloadText(const harness::RunPlan& plan);

// Returns a plan's workload with parameters that are not defaults: "yield:fibers=10,yields=20".
std::string WorkloadSpec(const harness::RunPlan& plan);

// Returns "1 round", "20 rounds".
std::string Plural(std::uint64_t count, std::string_view noun);

}  // namespace schedbench::report

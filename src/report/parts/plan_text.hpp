#pragma once

#include "harness/plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// What was asked for, as people read it. Pure; thread-safe.

namespace schedbench::report {

// "fast(lifo_limit=0)": what differs from the defaults, but for the workers, which stand beside it anyway.
std::string SchedulerText(const harness::RunPlan& plan);

// "pingpong(pairs=64, rounds=10000)": all of its parameters.
std::string WorkloadText(const harness::RunPlan& plan);

// "1 round", "20 rounds"
std::string Plural(std::uint64_t count, std::string_view noun);

}  // namespace schedbench::report

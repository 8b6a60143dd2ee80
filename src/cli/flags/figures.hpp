#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <vector>

// The figures that a comparison is about, and what is asked of them.

namespace schedbench::cli {

inline constexpr Flag kFigureFlag =
    Flag{"--figure", "", "NAME", "Compare this figure alone: throughput, wakeup_p99, ..."}
        .Repeatable();
inline constexpr Flag kFailIfFlag =
    Flag{"--fail-if", "", "FIGURE<CHANGE",
         "End with code 1 where that is proven: throughput<-3%, wakeup_p99>+10%"}
        .Repeatable();
inline constexpr Flag kRequireFlag =
    Flag{"--require", "", "FIGURE>=CHANGE",
         "End with code 3 unless that is proven, with 1 where it is not so"}
        .Repeatable();

// Returns those that are asked for; without any all that the workloads have. What is wrong goes to `problems`.
std::vector<std::string> FiguresOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems);

// Returns what --fail-if and --require ask of the figures of this plan. What is wrong goes to `problems`.
std::vector<harness::Gate> GatesOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems);

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <vector>

// The figures of a comparison, and its gates.

namespace schedbench::cli {

inline constexpr Flag kFigureFlag =
    Flag{"--figure", "", "NAME", "Compare only this figure: throughput, wakeup_p99, ..."}
        .Completed(Names::kFigure)
        .Repeatable();
inline constexpr Flag kFailIfFlag =
    Flag{"--fail-if", "", "FIGURE<CHANGE",
         "End with code 1 if this is proven: throughput<-3%, wakeup_p99>+10%"}
        .Completed(Names::kFigure)
        .Repeatable();
inline constexpr Flag kRequireFlag =
    Flag{"--require", "", "FIGURE>=CHANGE",
         "End with code 3 unless this is proven, and with 1 if the contrary is"}
        .Completed(Names::kFigure)
        .Repeatable();

// Returns the figures of --figure; empty: all figures. Adds to `problems`.
std::vector<std::string> FiguresOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems);

// Returns the gates of --fail-if and --require. Adds to `problems`.
std::vector<harness::Gate> GatesOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems);

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <vector>

// The metrics of a comparison, and its gates.

namespace schedbench::cli {

inline constexpr auto kMetricFlag =
    TextFlag{"--metric", "", "NAME", "Only this metric: throughput, wakeup_p99, ..."}
        .Completed(Names::kMetric)
        .Repeatable();
inline constexpr auto kFailIfFlag =
    TextFlag{"--fail-if", "", "METRIC<CHANGE",
             "End with code 1 if this is proven: throughput<-3%, wakeup_p99>+10%"}
        .Completed(Names::kMetric)
        .Repeatable();
inline constexpr auto kRequireFlag =
    TextFlag{"--require", "", "METRIC>=CHANGE",
             "End with code 3 unless this is proven, with code 1 if the opposite is proven"}
        .Completed(Names::kMetric)
        .Repeatable();

// Returns the metrics of --metric; empty: all metrics. Adds to `problems`.
std::vector<std::string> MetricsOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems);

// Returns the gates of --fail-if and --require. Adds to `problems`.
std::vector<harness::Gate> GatesOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems);

}  // namespace schedbench::cli

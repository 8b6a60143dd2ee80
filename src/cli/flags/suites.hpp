#pragma once

#include "cli/flags/flag.hpp"
#include "config/problems.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// A named list of workloads, for `--workload suite:NAME`.
struct Suite {
  std::string_view name;
  std::string_view doc;                // one line
  std::vector<std::string> workloads;  // "yield:preset=smoke"
};

// Returns all suites: lists, and for each name of presets all workloads with a preset of that name.
const std::vector<Suite>& Suites();

// Returns the workloads of "suite:NAME". Adds a problem at `where` if there are none.
std::vector<std::string> WorkloadsOfSuite(const std::string& text, const std::string& where,
                                          config::Problems& problems);

// Returns the values of the flag, "yield:preset=smoke" or "suite:NAME", with each suite replaced by
// its workloads. Adds to `problems`.
std::vector<std::string> WithoutSuites(const std::vector<std::string>& values, const Flag& flag,
                                       config::Problems& problems);

// The description of a flag that takes workloads and suites.
inline constexpr std::string_view kWorkloadOrSuiteDoc =
    "What to run: pingpong:pairs=8; suite:NAME runs all of a suite";

// The prefix of a suite on the command line.
inline constexpr std::string_view kSuitePrefix = "suite:";

}  // namespace schedbench::cli

#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"

#include <span>

namespace schedbench::cli {

// Whether these arguments of `run` ask for several cells: a suite, or all schedulers.
bool AsksForSuite(const Arguments& arguments);

// Runs each scheduler under each workload of the suite, each in an agent of its own. `without`: flags that such a run does not
// have. Throws config::InputError.
ExitCode RunSuite(const Arguments& arguments, std::span<const Flag* const> without);

}  // namespace schedbench::cli

#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"

// The actions of the command history in files of their own.

namespace schedbench::cli {

ExitCode MeasureHistory(const Arguments& arguments);  // implemented in history_measure.cpp
ExitCode BisectHistory(const Arguments& arguments);   // implemented in history_bisect.cpp

}  // namespace schedbench::cli

#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"

// The actions of the command history that have files of their own.

namespace schedbench::cli {

ExitCode MeasureHistory(const Arguments& arguments);  // history_measure.cpp
ExitCode BisectHistory(const Arguments& arguments);   // history_bisect.cpp

}  // namespace schedbench::cli

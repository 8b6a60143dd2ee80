#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"

// The actions of the command history; a file for each family.

namespace schedbench::cli {

ExitCode AddToHistory(const Arguments& arguments);    // history_add.cpp
ExitCode ListHistory(const Arguments& arguments);     // history_show.cpp
ExitCode ShowHistory(const Arguments& arguments);     // history_show.cpp
ExitCode CheckHistory(const Arguments& arguments);    // history_show.cpp
ExitCode PlotHistory(const Arguments& arguments);     // history_show.cpp
ExitCode MeasureHistory(const Arguments& arguments);  // history_measure.cpp
ExitCode BisectHistory(const Arguments& arguments);   // history_bisect.cpp

}  // namespace schedbench::cli

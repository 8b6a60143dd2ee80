#pragma once

#include "config/settings.hpp"
#include "report/tune/tune_report.hpp"

#include <string>

namespace schedbench::cli {

// Returns a config file with the settings that differ from the defaults of the scheduler, and the evidence as a note
// ("x-evidence"). `keeps_workers`: whether it names as many workers as this machine has CPUs, instead of leaving out
// the field.
std::string TunedConfigText(const config::Settings& settings, bool keeps_workers,
                            const report::TuneResult& result);

}  // namespace schedbench::cli

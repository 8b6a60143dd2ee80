#pragma once

#include "harness/doctor/facts.hpp"
#include "harness/doctor/findings.hpp"
#include "harness/doctor/self_comparison.hpp"
#include "platform/machine/machine_info.hpp"
#include "report/parts/terminal_style.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

// What disturbs measurement on a machine.
struct DoctorResult {
  harness::MachineFacts facts;
  std::vector<harness::Finding> findings;       // that of `self` too
  std::optional<harness::SelfComparison> self;  // none: it was not asked for, or cut short
  std::uint64_t seed = 0;                       // of `self`
  platform::MachineInfo machine;                // on which it ran
  bool complete = false;                        // false: it was interrupted
  std::vector<std::string> command;             // of the command line that asked for it
};

// For people: a line for each finding, and what mends it. Pure.
std::string RenderDoctorTable(const DoctorResult& result, const TerminalStyle& look);

// For programs: the same, and the facts. Pure.
std::string RenderDoctorJson(const DoctorResult& result, const TerminalStyle& look);

}  // namespace schedbench::report

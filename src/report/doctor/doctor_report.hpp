#pragma once

#include "harness/doctor/facts.hpp"
#include "harness/doctor/findings.hpp"
#include "harness/doctor/self_comparison.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {
record::Of<Finding> RecordOf(const Finding* /*type*/);
}  // namespace schedbench::harness

namespace schedbench::report {

// The result of the doctor.
struct DoctorResult {
  harness::MachineFacts facts;
  std::vector<harness::Finding> findings;       // including that of `self`
  std::optional<harness::SelfComparison> self;  // none: not requested, or interrupted
  std::uint64_t seed = 0;                       // of `self`
  platform::MachineInfo machine;                // that it ran on
  bool complete = false;                        // false: interrupted
  std::vector<std::string> command;             // the command line
};

// The findings with their remedies, and the verdict. Pure.
Document DocumentOf(const DoctorResult& result, const TerminalStyle& style);

// For programs: the same, and the facts. Pure.
const record::Record& RecordOf(const DoctorResult* /*type*/);

}  // namespace schedbench::report

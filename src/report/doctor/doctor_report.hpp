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
  std::vector<harness::Finding> findings;       // findings with that of `self`
  std::optional<harness::SelfComparison> self;  // none: not requested, or interrupted
  std::uint64_t seed = 0;                       // seed of `self`
  platform::MachineInfo machine;                // the machine of the doctor
  bool complete = false;                        // false: interrupted
  std::vector<std::string> command;             // the command line
};

// Returns the findings with their remedies, and the verdict. Pure.
Document DocumentOf(const DoctorResult& result, const TerminalStyle& style);

// Returns the JSON record of the result, with the facts. Pure.
record::Record RecordOf(const DoctorResult* /*type*/);

}  // namespace schedbench::report

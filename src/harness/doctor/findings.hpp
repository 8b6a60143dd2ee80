#pragma once

#include "base/enum_text.hpp"
#include "harness/doctor/facts.hpp"
#include "platform/machine/restrictions.hpp"
#include "registry/build_info.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

// The meaning of a machine's facts for measurements. Pure functions; thread-safe.

namespace schedbench::harness {

using schedbench::ToText;

enum class Severity {
  kOk,
  kWarn,  // results are less certain, or less is known
  kFail,  // results are wrong, or say little
};

// Returns "ok", "warn" or "fail".
constexpr std::array<std::string_view, 3> NamesOf(Severity) {
  return {"ok", "warn", "fail"};
}

struct Finding {
  Severity severity;
  std::string topic;       // "governor"
  std::string text;        // what was found
  std::string remedy;      // command that fixes it or shows more; "" only where all is well
  bool too_noisy = false;  // differences between schedulers may come from it: `--strict` refuses
};

// Each function judges some of the facts.
std::vector<Finding> JudgeProcessor(const MachineFacts& facts);
std::vector<Finding> JudgeCpuTime(const MachineFacts& facts);
std::vector<Finding> JudgeMemory(const MachineFacts& facts);
std::vector<Finding> JudgeKernel(const MachineFacts& facts);
std::vector<Finding> JudgeBuild(const registry::BuildInfo& build);

// Returns all findings.
std::vector<Finding> Judge(const MachineFacts& facts, const registry::BuildInfo& build);

// Adds what this process lacks. It replaces an all-is-well finding on its topic, not a worse one.
void AddRestrictions(const std::vector<platform::Restriction>& restrictions,
                     std::vector<Finding>& findings);

// Returns whether a finding makes comparisons too noisy.
bool AnyConcern(const std::vector<Finding>& findings);

// Makes a finding. One with a remedy is not all well.
Finding Ok(std::string topic, std::string text);
Finding Warn(std::string topic, std::string text, std::string remedy);
Finding Concern(Severity severity, std::string topic, std::string text, std::string remedy);

// Makes the finding for what the machine does not say: `path` is where it would be.
Finding NotReported(std::string topic, std::string_view what, std::string_view path);

}  // namespace schedbench::harness

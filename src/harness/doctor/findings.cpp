#include "harness/doctor/findings.hpp"

#include "harness/enum_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace schedbench::harness {

std::string_view ToText(Severity severity) {
  return TextOf(severity, {"ok", "warn", "fail"});
}

Finding Ok(std::string topic, std::string text) {
  return {Severity::kOk, std::move(topic), std::move(text), ""};
}

Finding Warn(std::string topic, std::string text, std::string remedy) {
  return {Severity::kWarn, std::move(topic), std::move(text), std::move(remedy)};
}

Finding Concern(Severity severity, std::string topic, std::string text, std::string remedy) {
  return {severity, std::move(topic), std::move(text), std::move(remedy), true};
}

Finding NotReported(std::string topic, std::string_view what, std::string_view path) {
  return Warn(std::move(topic), fmt::format("{} not reported here", what),
              fmt::format("ls -l {}", path));
}

std::vector<Finding> Judge(const MachineFacts& facts, const registry::BuildInfo& build) {
  std::vector<Finding> all;
  for (std::vector<Finding> some : {JudgeBuild(build), JudgeProcessor(facts), JudgeCpuTime(facts),
                                    JudgeMemory(facts), JudgeKernel(facts)}) {
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

bool AnyConcern(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, &Finding::too_noisy);
}

}  // namespace schedbench::harness

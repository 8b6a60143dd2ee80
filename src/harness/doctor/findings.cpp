#include "harness/doctor/findings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace schedbench::harness {

namespace {

constexpr const char* kBuild = "build";

Finding Kind(const registry::BuildInfo& build) {
  if (build.sanitizer != "none") {
    return Concern(
        Severity::kFail, kBuild,
        fmt::format("built with the {} sanitizer: its metrics do not show the real speed",
                    build.sanitizer),
        "make build");
  }
  if (build.build_type != "Release" && build.build_type != "RelWithDebInfo") {
    return Concern(Severity::kFail, kBuild,
                   fmt::format("a build of type '{}': its metrics do not show the real speed",
                               build.build_type),
                   "make build");
  }
  return Ok(kBuild, fmt::format("{}, {}, no sanitizer", build.build_type, build.compiler));
}

Finding Revision(const registry::BuildInfo& build) {
  if (build.revision == "unknown") {
    return Warn("revision", "unknown: the result cannot name the revision that was measured",
                "git clone REPOSITORY schedbench && make -C schedbench build");
  }
  if (build.modified) {
    return Warn("revision",
                fmt::format("{} with changes: no revision contains what was measured",
                            build.revision.substr(0, 12)),
                "git commit -a && make build");
  }
  return Ok("revision", fmt::format("{}", build.revision.substr(0, 12)));
}

}  // namespace

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

std::vector<Finding> JudgeBuild(const registry::BuildInfo& build) {
  return {Kind(build), Revision(build), Ok("allocator", fmt::format("{} malloc", build.allocator))};
}

std::vector<Finding> Judge(const MachineFacts& facts, const registry::BuildInfo& build) {
  std::vector<Finding> all;
  for (std::vector<Finding> some : {JudgeBuild(build), JudgeProcessor(facts), JudgeCpuTime(facts),
                                    JudgeMemory(facts), JudgeKernel(facts)}) {
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

void AddRestrictions(const std::vector<platform::Restriction>& restrictions,
                     std::vector<Finding>& findings) {
  for (const auto& [topic, text, remedy] : restrictions) {
    const auto known = std::ranges::find(findings, topic, &Finding::topic);
    if (known == findings.end()) {
      findings.push_back(Warn(topic, text, remedy));
    } else if (known->severity == Severity::kOk) {
      *known = Warn(topic, text, remedy);
    }
  }
}

bool AnyConcern(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, &Finding::too_noisy);
}

}  // namespace schedbench::harness

#include "harness/doctor/findings.hpp"

#include <fmt/core.h>

#include <vector>

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

std::vector<Finding> JudgeBuild(const registry::BuildInfo& build) {
  return {Kind(build), Revision(build), Ok("allocator", fmt::format("{} malloc", build.allocator))};
}

}  // namespace schedbench::harness

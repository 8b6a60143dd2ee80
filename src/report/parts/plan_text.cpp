#include "report/parts/plan_text.hpp"

#include "config/settings.hpp"

#include <fmt/format.h>

#include <vector>

namespace schedbench::report {

namespace {

// Returns "name(key=value, key=value)".
std::string Call(std::string_view name, const std::vector<std::string>& arguments) {
  return arguments.empty() ? std::string(name)
                           : fmt::format("{}({})", name, fmt::join(arguments, ", "));
}

}  // namespace

std::string SchedulerText(const harness::RunPlan& plan) {
  return Call(plan.scheduler->name, config::ChangedFields(plan.config, "workers"));
}

std::string WorkloadText(const harness::RunPlan& plan) {
  std::vector<std::string> parameters;
  config::ForEachLeaf(plan.parameters, [&](const std::string& path, const config::Value& value) {
    parameters.push_back(path + "=" + config::ToText(value));
  });
  return Call(plan.workload->name, parameters);
}

std::string WorkloadSpec(const harness::RunPlan& plan) {
  return config::SpecText(plan.workload->name, config::ChangedFields(plan.parameters));
}

std::string Plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace schedbench::report

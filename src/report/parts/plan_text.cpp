#include "report/parts/plan_text.hpp"

#include "config/settings.hpp"

#include <fmt/core.h>

#include <string_view>
#include <vector>

namespace schedbench::report {

namespace {

// "name(key=value, key=value)"
std::string Call(std::string_view name, const std::vector<std::string>& arguments) {
  std::string text(name);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + arguments[i];
  }
  return arguments.empty() ? text : text + ")";
}

}  // namespace

std::string SchedulerText(const harness::RunPlan& plan) {
  const config::Settings defaults(plan.config.GetSchema());
  std::vector<std::string> changes;
  config::ForEachLeaf(plan.config, [&](const std::string& path, const config::Value& value) {
    if (path != "workers" && value != defaults.Get(path)) {
      changes.push_back(path + "=" + config::ToText(value));
    }
  });
  return Call(plan.scheduler->name, changes);
}

std::string WorkloadText(const harness::RunPlan& plan) {
  std::vector<std::string> parameters;
  config::ForEachLeaf(plan.parameters, [&](const std::string& path, const config::Value& value) {
    parameters.push_back(path + "=" + config::ToText(value));
  });
  return Call(plan.workload->name, parameters);
}

std::string WorkloadSpec(const harness::RunPlan& plan) {
  const config::Settings defaults(plan.parameters.GetSchema());
  std::string spec(plan.workload->name);
  config::ForEachLeaf(plan.parameters, [&](const std::string& path, const config::Value& value) {
    if (value != defaults.Get(path)) {
      spec += fmt::format("{}{}={}", spec.size() == plan.workload->name.size() ? ":" : ",", path,
                          config::ToText(value));
    }
  });
  return spec;
}

std::string Plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace schedbench::report

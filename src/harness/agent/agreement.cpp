#include "harness/agent/agreement.hpp"

#include "config/quote.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace schedbench::harness {

std::string DifferenceOfParameters(const std::string& requested, const std::string& in_effect) {
  const auto effective = nlohmann::ordered_json::parse(in_effect);
  const auto parameters = nlohmann::ordered_json::parse(requested);
  for (const auto& [name, value] : parameters.items()) {
    const auto found = effective.find(name);
    if (found == effective.end()) {
      return fmt::format("\"parameters\" has no {}", name);
    }
    if (*found != value) {
      return fmt::format("{} is {} instead of {}", name, config::Escaped(found->dump()),
                         value.dump());
    }
  }
  return "";
}

bool SpawnsVary(const registry::WorkloadEntry& workload, const std::string& parameters) {
  const auto& [name, value] = workload.spawns_vary_with;
  if (workload.spawns_vary || name.empty()) {
    return workload.spawns_vary;
  }
  const auto values = nlohmann::ordered_json::parse(parameters);
  const auto found = values.find(name);
  return found != values.end() && *found == value;
}

}  // namespace schedbench::harness

#include "harness/agent/agreement.hpp"

#include "config/quote.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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

std::string ChangedSettings(const std::string& requested, const std::string& in_effect) {
  const auto flat = [](const std::string& config) {
    return nlohmann::ordered_json::parse(config).flatten();
  };
  const auto text = [](const nlohmann::ordered_json& value) {
    return config::Escaped(value.is_string() ? value.get<std::string>() : value.dump());
  };
  std::string changes;
  const auto effective = flat(in_effect);
  const auto asked = flat(requested);
  for (const auto& [pointer, value] : asked.items()) {
    const auto found = effective.find(pointer);
    if (found == effective.end() || *found == value || (pointer == "/workers" && value == 0) ||
        value == "auto") {
      continue;
    }
    std::string name = pointer.substr(std::min<std::size_t>(1, pointer.size()));
    std::ranges::replace(name, '/', '.');
    changes += fmt::format("{}{}={} instead of {}", changes.empty() ? "" : ", ",
                           config::Escaped(name), text(*found), text(value));
  }
  return changes;
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

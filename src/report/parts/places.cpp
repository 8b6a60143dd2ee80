#include "report/parts/places.hpp"

#include "config/quote.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cstddef>

namespace schedbench::report {

std::string PlaceLines(const std::vector<harness::PlacePtr>& places, const TerminalStyle& style) {
  constexpr std::size_t kLongest = 200;
  std::string text;
  for (const harness::PlacePtr& place : places) {
    const harness::AgentMachine& machine = place->machine;
    text += LabelledLine(
        place->kind == harness::Place::Kind::kHost ? "host" : "node",
        fmt::format(
            "{}: {}, {}, {}{}", config::Escaped(place->name, kLongest), Plural(machine.cpus, "CPU"),
            config::Escaped(machine.cpu_model, kLongest), config::Escaped(machine.kernel, kLongest),
            machine.findings.empty() ? ""
                                     : fmt::format("; {} of its doctor    --format json has them",
                                                   Plural(machine.findings.size(), "finding"))),
        style);
  }
  return text;
}

nlohmann::ordered_json PlacesJson(const std::vector<harness::PlacePtr>& places,
                                  const std::vector<std::string>& lost) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const harness::Place& place = *places[i];
    all.push_back(
        {{"name", place.name},
         {"kind", place.kind == harness::Place::Kind::kHost ? "host" : "node"},
         {"tool", place.tool},
         {"host", place.machine.host},
         {"cpu_model", place.machine.cpu_model},
         {"cpus", place.machine.cpus},
         {"kernel", place.machine.kernel},
         {"findings", place.machine.findings},
         {"lost", i < lost.size() && !lost[i].empty() ? nlohmann::ordered_json(lost[i])
                                                      : nlohmann::ordered_json(nullptr)}});
  }
  return all;
}

}  // namespace schedbench::report

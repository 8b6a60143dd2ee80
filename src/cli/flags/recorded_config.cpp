#include "cli/flags/recorded_config.hpp"

#include "config/input_error.hpp"
#include "graph/graph_file.hpp"
#include "registry/scheduler.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace schedbench::cli {

std::optional<config::JsonDocument> RecordedConfig(const graph::TaskGraph& graph,
                                                   const std::string& file,
                                                   config::Problems& problems) {
  const std::string_view scheduler = graph.Fact("scheduler");
  if (scheduler.empty() || registry::FindScheduler(scheduler) == nullptr) {
    return std::nullopt;
  }
  nlohmann::ordered_json config{{"scheduler", std::string(scheduler)}};
  const std::string_view text = graph.Fact("config");
  if (!config::NestsDeeperThan(text, config::JsonDocument::kDeepestNesting)) {
    const auto fields = nlohmann::ordered_json::parse(text, nullptr, false);
    if (fields.is_object()) {
      config.update(fields);
    }
  }
  return config::JsonDocument::Parse(
      config.dump(), "the config in " + file + " (--scheduler NAME overrides it)", problems);
}

graph::TaskGraph GraphOfCommand(const std::string& file) {
  try {
    return graph::ReadGraph(file);
  } catch (const graph::FormatError& error) {
    throw config::InputError(error.what());
  }
}

}  // namespace schedbench::cli

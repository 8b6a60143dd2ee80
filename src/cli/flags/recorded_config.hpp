#pragma once

#include "cli/flags/flag.hpp"
#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "graph/task_graph.hpp"

#include <optional>
#include <string>

namespace schedbench::cli {

inline constexpr auto kOpenFlag =
    SwitchFlag{"--open", "", "", "Spawn and wake from outside at the recorded times, not at once"};

// Returns the config with which a graph was recorded, for ChooseScheduler(); none if its scheduler
// is unknown here. `file`: the file of the graph, for messages.
std::optional<config::JsonDocument> RecordedConfig(const graph::TaskGraph& graph,
                                                   const std::string& file,
                                                   config::Problems& problems);

// Reads a task graph for a command. Throws config::InputError.
graph::TaskGraph GraphOfCommand(const std::string& file);

}  // namespace schedbench::cli

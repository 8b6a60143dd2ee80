#pragma once

#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "registry/scheduler.hpp"

#include <optional>
#include <string>

namespace schedbench::cli {

// Reads the config that the user calls `name`: a file, or, when there is none and the name has no folder in it,
// one that ships with the tool. What is wrong goes to `problems`.
std::optional<config::JsonDocument> ReadConfig(const std::string& name, config::Problems& problems);

// Returns the scheduler that the config is for, by its key "scheduler". Null, and a problem, when there is none.
const registry::SchedulerEntry* SchedulerOf(const config::JsonDocument& document,
                                            config::Problems& problems);

// Applies all fields of the config to settings of its scheduler.
void ApplyConfig(const config::JsonDocument& document, config::Settings& settings,
                 config::Problems& problems);

// Returns the scheduler of this name. Null, and a problem at `where`, when there is none.
const registry::SchedulerEntry* FindScheduler(const std::string& name, const config::Origin& origin,
                                              config::Problems& problems);

// Finishes settings to which all input has been applied: workers = 0 becomes their number, and the rules
// between fields are checked.
void Finish(config::Settings& settings, config::Problems& problems);

}  // namespace schedbench::cli

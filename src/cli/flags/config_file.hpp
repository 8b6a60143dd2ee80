#pragma once

#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "registry/scheduler.hpp"
#include "registry/shipped_configs.hpp"

#include <optional>
#include <string>

namespace schedbench::cli {

// Reads the config `name`: a file, stdin ("-"), or a shipped config if there is no such file and
// the name does not have a folder. Adds to `problems`.
std::optional<config::JsonDocument> ReadConfig(const std::string& name, config::Problems& problems);

// Returns the scheduler of the config's key "scheduler". Null, and a problem, if there is none.
const registry::SchedulerEntry* SchedulerOf(const config::JsonDocument& document,
                                            config::Problems& problems);

// Returns the scheduler of a shipped config, also where this folder has a file of that name.
const registry::SchedulerEntry& SchedulerOf(const registry::ShippedConfig& config);

// Applies all fields of the config to the settings of its scheduler.
void ApplyConfig(const config::JsonDocument& document, config::Settings& settings,
                 config::Problems& problems);

// Returns the scheduler of this name. Null, and a problem at `origin`, if there is none.
const registry::SchedulerEntry* FindScheduler(const std::string& name, const config::Origin& origin,
                                              config::Problems& problems);

// A scheduler with settings.
struct ConfiguredScheduler {
  const registry::SchedulerEntry* entry;
  config::Settings settings;
};

// Reads the config `name` for its scheduler, without Finish(). Returns none, and adds problems, if
// the config cannot be read or names no scheduler.
std::optional<ConfiguredScheduler> ReadScheduler(const std::string& name,
                                                 config::Problems& problems);

// Completes settings after all input: replaces workers = 0, and checks rules between fields.
void Finish(config::Settings& settings, config::Problems& problems);

}  // namespace schedbench::cli

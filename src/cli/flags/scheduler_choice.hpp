#pragma once

#include "cli/flags/arguments.hpp"
#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "registry/scheduler.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::cli {

// The scheduler on which --scheduler and all configs agree (fast if they name none), with the
// settings of the configs and of --set. For one use.
class SchedulerChoice {
 public:
  // `otherwise`: the config where no flag names a scheduler or a config; null: the defaults of
  // fast. `takes_workers`: whether --workers of the command is kWorkersFlag.
  SchedulerChoice(const Arguments& arguments, config::Problems& problems,
                  const config::JsonDocument* otherwise = nullptr, bool takes_workers = true);

  // Reads the configs; returns the finished settings. None, and problems, if a name or config is
  // wrong.
  std::optional<config::Settings> Settings();

  // Returns null before Settings(), and if that returned none.
  const registry::SchedulerEntry* Entry() const {
    return entry_;
  }

 private:
  void Read(std::optional<config::JsonDocument> document);
  // Returns whether `entry`, named at `origin`, is the scheduler of this run.
  bool Choose(const registry::SchedulerEntry* entry, const config::Origin& origin);
  void Apply(config::Settings& settings);

  const Arguments& arguments_;
  config::Problems& problems_;
  const config::JsonDocument* const otherwise_;
  const bool takes_workers_;
  const registry::SchedulerEntry* entry_ = nullptr;
  std::string chosen_by_;  // where the scheduler was named first
  std::vector<config::JsonDocument> documents_;
};

}  // namespace schedbench::cli

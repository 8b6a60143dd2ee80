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

// The scheduler that --scheduler and all configs agree on (fast if they name none), with the settings of the configs and of --set. For one use.
class SchedulerChoice {
 public:
  // `otherwise`: a config that counts where no flag names a scheduler or a config; null: the defaults of fast. `takes_workers`: whether
  // --workers of the command is kWorkersFlag.
  SchedulerChoice(const Arguments& arguments, config::Problems& problems,
                  const config::JsonDocument* otherwise = nullptr, bool takes_workers = true);

  // Reads the configs and returns the finished settings. None, and problems, if the name or a config is wrong.
  std::optional<config::Settings> Settings();

  // Null before Settings(), and if that returned none.
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
  std::string chosen_by_;  // where the scheduler was first named
  std::vector<config::JsonDocument> documents_;
};

}  // namespace schedbench::cli

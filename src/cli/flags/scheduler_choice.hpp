#pragma once

#include "cli/flags/arguments.hpp"
#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "registry/scheduler.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// The scheduler that --scheduler and all configs agree on, with the settings that the configs and --set make.
// One use.
class SchedulerChoice {
 public:
  // `usual`: the scheduler where the flags name none; "" where they must.
  SchedulerChoice(const Arguments& arguments, config::Problems& problems,
                  std::string_view usual = {});

  // Reads the configs and returns the finished settings. None, and problems, when no scheduler is named or what
  // names it is wrong.
  std::optional<config::Settings> Settings();

  // Null before Settings(), and when that returned none.
  const registry::SchedulerEntry* Entry() const {
    return entry_;
  }

 private:
  void Read(const std::string& name);
  // Returns whether `entry`, which was named at `origin`, is the scheduler of this run.
  bool Choose(const registry::SchedulerEntry* entry, const config::Origin& origin);
  void Apply(config::Settings& settings);

  const Arguments& arguments_;
  config::Problems& problems_;
  const std::string_view usual_;
  const registry::SchedulerEntry* entry_ = nullptr;
  std::string chosen_by_;  // where it was named first
  std::vector<config::JsonDocument> documents_;
};

}  // namespace schedbench::cli

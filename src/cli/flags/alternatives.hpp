#pragma once

#include "cli/flags/plan_from_flags.hpp"
#include "config/problems.hpp"
#include "harness/compare/plan.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// The settings that the config of an alternative has.
enum class ConfigForm {
  kWhole,  // all fields
  kGiven,  // only what the user gave, because an agent of another version may lack other fields
};

// Returns the alternatives of the words NAME=WHAT or WHAT. WHAT is a scheduler with settings
// ("fast:lifo_limit=0"), a config file, or a shipped config ("fast.json"). A '*' in a scheduler's
// name stands for any text and gives an alternative for each match. `workers`, if given, replaces
// their number of workers. Names are unique; the agent is this program. Adds to `problems`.
std::vector<harness::Alternative> AlternativesOf(const std::vector<std::string>& words,
                                                 const std::optional<std::string>& workers,
                                                 config::Problems& problems,
                                                 ConfigForm form = ConfigForm::kWhole);

// Returns the workload for a comparison. `name`: its name in the table.
harness::ComparedWorkload Compared(const WorkloadChoice& workload, const std::string& name,
                                   ConfigForm form = ConfigForm::kWhole);

// Adds the workload of "pingpong:pairs=8", a value of the flag, to `workloads`. If it is wrong or
// already there, adds to `problems` instead.
void AddWorkload(const std::string& text, const Flag& flag,
                 std::vector<harness::ComparedWorkload>& workloads, config::Problems& problems);

// Returns whether a word sets the field by itself, "x=fast:lifo_limit=0", not by a config file.
bool WordSets(const std::string& word, std::string_view field);

// Returns the config files that such words name.
std::vector<std::string> ConfigsOf(const std::vector<std::string>& words);

// Several such words, and one.
inline constexpr Words kAlternatives{"[[NAME=]WHAT...]", 0, 100, Names::kAlternative, &ConfigsOf};
inline constexpr Words kAlternative{"[WHAT]", 0, 1, Names::kAlternative, &ConfigsOf};

// Returns whether a name is allowed. Adds a problem at `where` if it is empty or not printable.
bool CheckName(const std::string& name, const std::string& where, config::Problems& problems);

// Returns `name`, numbered if it is taken: a scheduler may be compared with itself.
std::string UniqueName(const std::string& name, const std::vector<harness::Alternative>& others);

}  // namespace schedbench::cli

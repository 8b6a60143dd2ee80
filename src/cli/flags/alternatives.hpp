#pragma once

#include "cli/flags/plan_from_flags.hpp"
#include "config/problems.hpp"
#include "harness/compare/plan.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// Which settings the config of an alternative has.
enum class ConfigForm {
  kWhole,  // all fields
  kGiven,  // those that the user gave: an agent of another version may lack others
};

// Returns the alternatives of the words NAME=WHAT or WHAT, where WHAT is a scheduler with settings
// ("fast:lifo_limit=0"), a config file, or a shipped config ("fast.json"). A '*' in the name of a
// scheduler stands for any text: such a word gives an alternative for each scheduler that fits.
// `workers`, if given, replaces their own number of workers. Each alternative has a unique name;
// its agent is this program. Adds to `problems`.
std::vector<harness::Alternative> AlternativesOf(const std::vector<std::string>& words,
                                                 const std::optional<std::string>& workers,
                                                 config::Problems& problems,
                                                 ConfigForm form = ConfigForm::kWhole);

// Returns the workload as it is compared. `name`: in the table.
harness::ComparedWorkload Compared(const WorkloadChoice& workload, const std::string& name,
                                   ConfigForm form = ConfigForm::kWhole);

// Adds the workload of "pingpong:pairs=8", a value of the flag, to those that are compared. If it
// is wrong or among them already, adds to `problems` instead.
void AddWorkload(const std::string& text, const Flag& flag,
                 std::vector<harness::ComparedWorkload>& workloads, config::Problems& problems);

// Returns whether such a word sets the field itself: "x=fast:lifo_limit=0". What a config file sets does not count.
bool WordSets(const std::string& word, std::string_view field);

// Returns the config files that such words name.
std::vector<std::string> ConfigsOf(const std::vector<std::string>& words);

// Several such words, and one.
inline constexpr Words kAlternatives{"[[NAME=]WHAT...]", 0, 100, Names::kAlternative, &ConfigsOf};
inline constexpr Words kAlternative{"[WHAT]", 0, 1, Names::kAlternative, &ConfigsOf};

// Adds a problem at `where` if the name of an alternative is empty or not printable. Returns whether it is neither.
bool CheckName(const std::string& name, const std::string& where, config::Problems& problems);

// Returns `name`, with a number appended if another alternative has it: a scheduler may be compared with itself.
std::string UniqueName(const std::string& name, const std::vector<harness::Alternative>& others);

}  // namespace schedbench::cli

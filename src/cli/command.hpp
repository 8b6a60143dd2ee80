#pragma once

#include "cli/exit_code.hpp"
#include "cli/flags/arguments.hpp"
#include "cli/flags/flag.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A command, and what the files of most commands use.

namespace schedbench::cli {

// What the first word of a command may be, where each such word has flags and help of its own.
struct Action {
  std::string_view name;
  std::string_view words;  // of the usage line, after its name
  ExitCode (*run)(const Arguments& arguments);
  std::string_view summary;       // a sentence without a full stop
  std::string_view details = "";  // paragraphs of the help
  std::string_view examples;      // lines
};

// What to do instead of a flag that another command has.
struct FlagHint {
  std::string_view name;  // of the flag
  std::string_view text;
};

// A command of the tool. One file each.
struct Command {
  int place;  // in the help, which is in ascending order
  std::string_view name;
  std::string_view summary;  // one line
  Words words = {};
  // Other files that it reads, such as the default of a flag. Does not throw. Null: none.
  std::vector<std::string> (*reads_also)(const Arguments& arguments) = nullptr;
  std::span<const Flag> flags = {};
  std::string_view details = "";   // paragraphs of the help
  std::string_view examples = "";  // lines
  std::span<const FlagHint> hints = {};
  std::span<const Action> actions = {};
  ExitCode (*run)(const Arguments& arguments);
};

// Registers a command for the life of the program. The file of a command ends in one such object.
class CommandRegistration {
 public:
  // Copies `command`. Before main.
  explicit CommandRegistration(const Command& command);
};

// All commands, in the order of the help.
std::span<const Command* const> Commands();

// Returns the flag of this long or short name. Null if the command has none.
const Flag* FindFlag(const Command& command, std::string_view name);

// What the tool does: for its help.
inline constexpr std::string_view kToolSummary =
    "measures how fast user-space fiber schedulers are, and shows why";

// The doc of a flag, with its choices after a colon, and with its default and "repeatable".
std::string DocOf(const Flag& flag);

// Returns the action that the word names. Null if there is none.
const Action* FindAction(const Command& command, std::string_view word);

// Returns the paragraphs of the help of the command, or of one of its actions alone: its own, then
// those of its flags.
std::string DetailsOf(const Command& command, const Action* action = nullptr);

// Returns the lines of its examples.
std::string ExamplesOf(const Command& command, const Action* action = nullptr);

// Whether the command has the flag for this action, or, without one, at all. Requires: no name of
// an action contains another one.
bool Takes(const Action* action, const Flag& flag);

// "usage: schedbench agent-check [flags] -- COMMAND...", without a newline. `action`: null for
// none.
std::string UsageOf(const Command& command, const Action* action = nullptr);

// Returns advice for a flag that `command` does not have and another command has: how to do the
// same there, or the commands that take it. "" if no command has it. `name`: "--set" or "-c".
std::string HintForFlag(const Command& command, std::string_view name);

// Returns the words by which `command` would take an argument that it does not expect here:
// "describe scheduler fast", "run --workload yield". "" if the word is no name of anything.
std::string HintForWord(const Command& command, std::string_view word);

}  // namespace schedbench::cli

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

// A first word of a command with its own flags and help.
struct Action {
  std::string_view name;
  std::string_view words;  // words of the usage line after its name
  ExitCode (*run)(const Arguments& arguments);
  std::string_view summary;       // a sentence without a full stop
  std::string_view details = "";  // paragraphs of the help
  std::string_view examples;      // lines
};

// Advice instead of a flag that only another command has.
struct FlagHint {
  std::string_view name;  // name of the flag
  std::string_view text;
};

// A command of the tool. Each has its own file.
struct Command {
  int place;  // position in the help, which is in ascending order
  std::string_view name;
  std::string_view summary;  // one line
  Words words = {};
  // Returns other files that it reads, such as the default of a flag. Does not throw. Null: none.
  std::vector<std::string> (*reads_also)(const Arguments& arguments) = nullptr;
  std::span<const Flag> flags = {};
  std::string_view details = "";   // paragraphs of the help
  std::string_view examples = "";  // lines
  std::span<const FlagHint> hints = {};
  std::span<const Action> actions = {};
  ExitCode (*run)(const Arguments& arguments);
};

// Registers a command for the life of the program. Each command's file ends with one such object.
class CommandRegistration {
 public:
  // Copies `command`. Runs before main.
  explicit CommandRegistration(const Command& command);
};

// Returns all commands in the order of the help.
std::span<const Command* const> Commands();

// Returns the flag of this long or short name. Null if the command does not have it.
const Flag* FindFlag(const Command& command, std::string_view name);

// Says in the tool's help what it does.
inline constexpr std::string_view kToolSummary =
    "measures how fast user-space fiber schedulers are, and shows why";

// Returns the doc of a flag, with its choices after a colon, its default and "repeatable".
std::string DocOf(const Flag& flag);

// Returns the help's paragraphs for the command or one of its actions: its own, then those of its
// flags.
std::string DetailsOf(const Command& command, const Action* action = nullptr);

// Returns the lines of the examples.
std::string ExamplesOf(const Command& command, const Action* action = nullptr);

// Returns whether the command has the flag for this action, or without an action at all. Requires:
// the name of an action does not contain another one.
bool Takes(const Action* action, const Flag& flag);

// Returns "usage: schedbench agent-check [flags] -- COMMAND...", without a newline. `action` may be
// null.
std::string UsageOf(const Command& command, const Action* action = nullptr);

}  // namespace schedbench::cli

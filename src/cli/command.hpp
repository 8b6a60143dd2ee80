#pragma once

#include "cli/exit_code.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// A flag of a command. The parser, the help and the suggestions are all made from this line.
struct Flag {
  std::string_view name;        // "--config"
  std::string_view short_name;  // "-o", or ""
  std::string_view value;       // what stands for the value in the help: "FILE"; "" for a switch
  std::string_view doc;
  bool repeatable = false;  // every value counts; of other flags the last one
};

// What the user typed after the name of the command.
class Arguments {
 public:
  void Add(std::string_view flag, std::string value);
  void AddWord(std::string word);

  bool Has(std::string_view flag) const;
  // The last value; none when the flag was not given.
  std::optional<std::string> Value(std::string_view flag) const;
  const std::vector<std::string>& Values(std::string_view flag) const;

  // What belongs to no flag, in its order.
  const std::vector<std::string>& Words() const;

  // All of it as it was typed, the name of the tool and of the command in front.
  std::vector<std::string> command_line;

  // The path that this program was called by: command_line names the tool, and a user's program is called by
  // another name.
  std::string program;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> words_;
};

// A command of the tool. One file each.
struct Command {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view words;    // of the usage line: "FILE..."
  std::size_t max_words;     // that it takes
  std::span<const Flag> flags;
  std::string_view details;  // paragraphs of the help, the examples last
  ExitCode (*run)(const Arguments& arguments);
};

extern const Command kRunCommand;
extern const Command kCompareCommand;
extern const Command kProfileCommand;
extern const Command kFlamegraphCommand;
extern const Command kTraceCommand;
extern const Command kListCommand;
extern const Command kDescribeCommand;
extern const Command kValidateCommand;
extern const Command kDoctorCommand;
extern const Command kAgentCommand;
extern const Command kAgentCheckCommand;

// All commands, in the order of the help.
std::span<const Command* const> Commands();

// Null when there is none.
const Command* FindCommand(std::string_view name);

}  // namespace schedbench::cli

#include "cli/flag_hints.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace schedbench::cli {

namespace {

struct Hint {
  std::string_view command;
  std::string_view flag;
  std::string_view text;
};

constexpr std::array kHints{
    Hint{"compare", "--config", "name the files: schedbench compare fast.json mine.json"},
    Hint{"compare", "--scheduler", "name the schedulers: schedbench compare fast global_fifo"},
    Hint{"compare", "--set",
         "write settings after the scheduler: schedbench compare fast fast:lifo_limit=0"},
    Hint{"doctor", "--workload",
         "the doctor has one workload; compare takes any: schedbench compare fast fast"},
};

}  // namespace

std::string HintForFlag(const Command& command, std::string_view name) {
  std::vector<std::string_view> commands;
  std::string_view long_name = name;
  for (const Command* const other : Commands()) {
    if (const Flag* const flag = FindFlag(*other, name)) {
      commands.push_back(other->name);
      long_name = flag->name;
    }
  }
  const auto hint = std::ranges::find_if(kHints, [&](const Hint& one) {
    return one.command == command.name && one.flag == long_name;
  });
  if (hint != kHints.end()) {
    return std::string(hint->text);
  }
  return commands.empty() ? "" : fmt::format("it is a flag of {}", fmt::join(commands, ", "));
}

}  // namespace schedbench::cli

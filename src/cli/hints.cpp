#include "cli/hints.hpp"

#include "config/quote.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

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

std::string HintForWord(const Command& command, std::string_view word) {
  const std::string_view name = word.substr(0, word.find(':'));
  const bool is_scheduler = registry::FindScheduler(name) != nullptr;
  if (!is_scheduler && registry::FindWorkload(name) == nullptr) {
    return "";
  }
  const std::string_view kind = is_scheduler ? "scheduler" : "workload";
  const std::string flag = fmt::format("--{}", kind);
  const bool has_flag = FindFlag(command, flag) != nullptr;
  if (!has_flag && command.name != "describe") {
    return "";
  }
  return fmt::format("schedbench {} {} {}", command.name, has_flag ? flag : kind,
                     config::Escaped(word));
}

}  // namespace schedbench::cli

#include "cli/command.hpp"

#include "cli/flags/names.hpp"
#include "config/wrap.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace schedbench::cli {

std::span<const Command* const> Commands() {
  static constexpr std::array kCommands{
      &kRunCommand,        &kCompareCommand,    &kSweepCommand, &kScaleCommand,
      &kMetgCommand,       &kTuneCommand,       &kLoadCommand,  &kAuditCommand,
      &kHistoryCommand,    &kHypothesesCommand, &kPaperCommand, &kProfileCommand,
      &kFlamegraphCommand, &kTraceCommand,      &kTopCommand,   &kRecordCommand,
      &kReplayCommand,     &kWhatIfCommand,     &kListCommand,  &kDescribeCommand,
      &kValidateCommand,   &kDoctorCommand,     &kAgentCommand, &kAgentCheckCommand,
      &kCompletionCommand, &kManCommand};
  return kCommands;
}

const Flag* FindFlag(const Command& command, std::string_view name) {
  const auto found = std::ranges::find_if(command.flags, [name](const Flag& flag) {
    return flag.name == name || (!flag.short_name.empty() && flag.short_name == name);
  });
  return found == command.flags.end() ? nullptr : &*found;
}

std::string DocOf(const Flag& flag) {
  return fmt::format("{}{}", flag.doc,
                     flag.repeatable ? " (repeatable)"
                     : flag.default_value.empty()
                         ? ""
                         : fmt::format(" (default: {})", flag.default_value));
}

const Action* FindAction(const Command& command, std::string_view word) {
  return FindByName(command.actions, word);
}

bool Takes(const Action* action, const Flag& flag) {
  return action == nullptr || flag.actions.find(action->name) != std::string_view::npos;
}

std::string DetailsOf(const Command& command, const Action* action) {
  if (command.actions.empty()) {
    return std::string(command.details);
  }
  constexpr std::size_t kColumns = 100;
  std::string list;
  std::string paragraphs;
  std::string examples = "\nExamples:\n";
  for (const Action& one : command.actions) {
    if (action == nullptr || action->name == one.name) {
      const std::string head = fmt::format("  {:<20}", fmt::format("{} {}", one.name, one.words));
      list += head +
              fmt::format("{}\n", fmt::join(config::WrapWords(one.summary, kColumns - head.size()),
                                            fmt::format("\n{:{}}", "", head.size())));
      paragraphs += fmt::format("{}{}", one.details.empty() ? "" : "\n", one.details);
      examples += one.examples;
    }
  }
  return fmt::format("{}{}{}{}", action == nullptr ? command.details : "", list, paragraphs,
                     examples);
}

std::string UsageOf(const Command& command, const Action* action) {
  const std::string_view words = action == nullptr ? command.words : action->words;
  return fmt::format("usage: schedbench {}{}{}{}{}{}", command.name, action == nullptr ? "" : " ",
                     action == nullptr ? "" : action->name, command.flags.empty() ? "" : " [flags]",
                     words.empty() ? "" : " ", words);
}

}  // namespace schedbench::cli

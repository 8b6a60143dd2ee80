#include "cli/command.hpp"

#include <fmt/core.h>

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

std::string UsageOf(const Command& command) {
  return fmt::format("usage: schedbench {}{}{}{}", command.name,
                     command.flags.empty() ? "" : " [flags]", command.words.empty() ? "" : " ",
                     command.words);
}

}  // namespace schedbench::cli

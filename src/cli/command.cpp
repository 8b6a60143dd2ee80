#include "cli/command.hpp"

#include <fmt/core.h>

#include <array>

namespace schedbench::cli {

std::span<const Command* const> Commands() {
  static constexpr std::array kCommands{&kRunCommand,        &kCompareCommand,   &kProfileCommand,
                                        &kFlamegraphCommand, &kTraceCommand,     &kListCommand,
                                        &kDescribeCommand,   &kValidateCommand,  &kDoctorCommand,
                                        &kAgentCommand,      &kAgentCheckCommand};
  return kCommands;
}

std::string UsageOf(const Command& command) {
  return fmt::format("usage: schedbench {}{}{}{}", command.name,
                     command.flags.empty() ? "" : " [flags]", command.words.empty() ? "" : " ",
                     command.words);
}

}  // namespace schedbench::cli

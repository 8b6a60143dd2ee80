#include "cli/command.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace schedbench::cli {

void Arguments::Add(std::string_view flag, std::string value) {
  values_[std::string(flag)].push_back(std::move(value));
}

void Arguments::AddWord(std::string word) {
  words_.push_back(std::move(word));
}

bool Arguments::Has(std::string_view flag) const {
  return values_.contains(flag);
}

std::optional<std::string> Arguments::Value(std::string_view flag) const {
  return Has(flag) ? std::optional(Values(flag).back()) : std::nullopt;
}

const std::vector<std::string>& Arguments::Values(std::string_view flag) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(flag);
  return found == values_.end() ? none : found->second;
}

const std::vector<std::string>& Arguments::Words() const {
  return words_;
}

std::span<const Command* const> Commands() {
  static constexpr std::array kCommands{&kRunCommand,        &kCompareCommand,   &kProfileCommand,
                                        &kFlamegraphCommand, &kTraceCommand,     &kListCommand,
                                        &kDescribeCommand,   &kValidateCommand,  &kDoctorCommand,
                                        &kAgentCommand,      &kAgentCheckCommand};
  return kCommands;
}

const Command* FindCommand(std::string_view name) {
  const auto commands = Commands();
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() ? nullptr : *found;
}

}  // namespace schedbench::cli

#include "cli/command.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schedbench::cli {

namespace {

// The list is function-local, because registrations run before main in an unspecified order. It and
// the commands are never destroyed.
std::vector<const Command*>& Registered() {
  static auto* const commands = new std::vector<const Command*>;
  return *commands;
}

}  // namespace

CommandRegistration::CommandRegistration(const Command& command) {
  auto& commands = Registered();
  commands.insert(std::ranges::lower_bound(commands, command.place, {}, &Command::place),
                  new Command(command));
}

std::span<const Command* const> Commands() {
  return Registered();
}

const Flag* FindFlag(const Command& command, std::string_view name) {
  const auto found = std::ranges::find_if(command.flags, [name](const Flag& flag) {
    return flag.name == name || (!flag.short_name.empty() && flag.short_name == name);
  });
  return found == command.flags.end() ? nullptr : &*found;
}

std::string DocOf(const Flag& flag) {
  const std::string_view usual = flag.usual.empty() ? flag.default_value : flag.usual;
  std::vector<std::string> notes;
  if (!usual.empty()) {
    notes.push_back(fmt::format("default: {}", usual));
  }
  if (flag.repeatable) {
    notes.emplace_back("repeatable");
  }
  std::string doc(flag.doc);
  if (doc.ends_with(':')) {
    doc += fmt::format(" {}", fmt::join(flag.rule.choices, ", "));
  }
  return notes.empty() ? doc : fmt::format("{} ({})", doc, fmt::join(notes, "; "));
}

bool Takes(const Action* action, const Flag& flag) {
  std::string_view names = flag.actions;
  bool is_named = action == nullptr;
  while (!is_named && !names.empty()) {
    is_named = TakePart(names, ' ') == action->name;
  }
  return is_named;
}

std::string DetailsOf(const Command& command, const Action* action) {
  constexpr std::size_t kColumns = 100;
  std::string text(action == nullptr ? command.details : "");
  std::string paragraphs;
  for (const Action& one : command.actions) {
    if (action == nullptr || action->name == one.name) {
      const std::string head = fmt::format("  {:<20}", fmt::format("{} {}", one.name, one.words));
      text += head +
              fmt::format("{}\n", fmt::join(config::WrapWords(one.summary, kColumns - head.size()),
                                            fmt::format("\n{:{}}", "", head.size())));
      paragraphs += fmt::format("{}{}", one.details.empty() ? "" : "\n", one.details);
    }
  }
  for (const Flag& flag : command.flags) {
    if (!flag.paragraph.empty() && Takes(action, flag)) {
      paragraphs +=
          fmt::format("\n{}\n", fmt::join(config::WrapWords(flag.paragraph, kColumns), "\n"));
    }
  }
  return text + paragraphs;
}

std::string ExamplesOf(const Command& command, const Action* action) {
  std::string examples(command.examples);
  for (const Action& one : command.actions) {
    examples += action == nullptr || action->name == one.name ? one.examples : "";
  }
  return examples;
}

std::string UsageOf(const Command& command, const Action* action) {
  std::string words(action == nullptr ? command.words.usage : action->words);
  if (const auto choices = command.words.first.choices; action == nullptr && !choices.empty()) {
    const std::string names = fmt::format("{}", fmt::join(choices, "|"));
    words = command.words.min == 0 ? "[" + names + "]" : names + " " + words;
  }
  return fmt::format("usage: schedbench {}{}{}{}{}{}", command.name, action == nullptr ? "" : " ",
                     action == nullptr ? "" : action->name, command.flags.empty() ? "" : " [flags]",
                     words.empty() ? "" : " ", words);
}

}  // namespace schedbench::cli

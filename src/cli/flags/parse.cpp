#include "cli/flags/parse.hpp"

#include "cli/flags/help.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace schedbench::cli {

namespace {

// CLI11 takes the words apart; all messages are ours, because its own offer no nearest name.
class Parser {
 public:
  explicit Parser(const Command& command)
      : command_(command) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const Flag& flag : command.flags) {
      Declare(flag);
    }
  }

  Arguments Parse(std::vector<std::string> words) {
    const std::string last = words.empty() ? "" : words.back().substr(0, words.back().find('='));
    std::ranges::reverse(words);  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::ArgumentMismatch&) {
      throw config::InputError(MissingValue(last));
    }
    return Collected();
  }

 private:
  void Declare(const Flag& flag) {
    std::string names(flag.name);
    if (!flag.short_name.empty()) {
      names = fmt::format("{},{}", flag.short_name, names);
    }
    if (flag.value.empty()) {
      app_.add_flag(names);
      return;
    }
    // One value each time that the flag is given.
    app_.add_option(names, values_[flag.name])->expected(1)->allow_extra_args(false)->take_all();
  }

  Arguments Collected() const {
    Arguments arguments;
    for (const Flag& flag : command_.flags) {
      if (flag.value.empty()) {
        if (app_.count(std::string(flag.name)) > 0) {
          arguments.Add(flag.name, "");
        }
        continue;
      }
      for (const std::string& value : values_.at(flag.name)) {
        arguments.Add(flag.name, value);
      }
    }
    bool flags_ended = false;
    for (const std::string& word : app_.remaining()) {
      if (!flags_ended && word == "--") {
        flags_ended = true;
        continue;
      }
      if (!flags_ended && word.size() > 1 && word.front() == '-') {
        throw config::InputError(UnknownFlag(word));
      }
      arguments.AddWord(word);
    }
    CheckWords(arguments.Words());
    return arguments;
  }

  std::string UnknownFlag(std::string_view word) const {
    const std::string_view name = word.substr(0, word.find('='));
    std::vector<std::string_view> names;
    for (const Flag& flag : command_.flags) {
      names.push_back(flag.name);
    }
    if (name == "-") {  // what CLI11 leaves of -q=3
      return fmt::format("unexpected value {}", config::Quoted(word.substr(2)));
    }
    std::string hint = config::DidYouMean(name, names);
    if (names.empty()) {
      hint = fmt::format("; {} takes no flags but --help", command_.name);
    }
    return fmt::format("unknown flag {}{}", config::Quoted(name), hint);
  }

  void CheckWords(const std::vector<std::string>& words) const {
    if (words.size() <= command_.max_words) {
      return;
    }
    throw config::InputError(fmt::format("{}: unexpected {}    {}", command_.name,
                                         config::Quoted(words[command_.max_words]),
                                         UsageOf(command_)));
  }

  // A flag takes the next word as its value, so only the last word can lack one. It may be a group of short flags.
  std::string MissingValue(const std::string& last) const {
    for (const Flag& flag : command_.flags) {
      const bool is_short = !flag.short_name.empty() && !last.starts_with("--") &&
                            last.ends_with(flag.short_name.back());
      if (!flag.value.empty() && (last == flag.name || is_short)) {
        return fmt::format("{} needs a value: {} {}", flag.name, flag.name, flag.value);
      }
    }
    return fmt::format("{} needs a value", config::Quoted(last));
  }

  const Command& command_;
  CLI::App app_;
  std::map<std::string_view, std::vector<std::string>> values_;
};

}  // namespace

Arguments Parse(const Command& command, const std::vector<std::string>& words) {
  return Parser(command).Parse(words);
}

}  // namespace schedbench::cli

#include "cli/parse.hpp"

#include "cli/help.hpp"
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
    std::ranges::reverse(words);  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      throw config::InputError(Reworded(error));
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
    if (words.size() <= command_.most_words) {
      return;
    }
    throw config::InputError(fmt::format("{}: unexpected {}    {}", command_.name,
                                         config::Quoted(words[command_.most_words]),
                                         UsageOf(command_)));
  }

  // The flags are the only thing that CLI11 can complain of.
  std::string Reworded(const CLI::ParseError& error) const {
    for (const Flag& flag : command_.flags) {
      const std::string what = error.what();
      if (what.starts_with(std::string(flag.name)) && !flag.value.empty()) {
        return fmt::format("{} needs a value: {} {}", flag.name, flag.name, flag.value);
      }
      if (what.find(std::string(flag.name)) != std::string::npos) {
        return fmt::format("{} takes no value", flag.name);
      }
    }
    return error.what();
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

#pragma once

#include "cli/flags/flag.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// The words after the name of the command. Values obey the rules of their flags.
struct Arguments {
  bool Has(const Flag& flag) const;

  // Returns the last value; without one the default; none if there is neither.
  std::optional<std::string> Value(const Flag& flag) const;
  // Returns all values; without any the default, if there is one.
  std::vector<std::string> Values(const Flag& flag) const;

  // Requires: the rule of the flag is WholeNumber(). None: no value and no default.
  std::optional<std::uint64_t> Number(const Flag& flag) const;
  // Requires: kSomeRounds or kAnyRounds. `otherwise`: without a value and a default.
  std::uint32_t Rounds(const Flag& flag, std::uint32_t otherwise = 0) const;
  // Requires: kTime or kTimeOrZero, and a default.
  std::chrono::nanoseconds Time(const Flag& flag) const;
  // Requires: kShare, and a default.
  double Share(const Flag& flag) const;

  std::map<std::string_view, std::vector<std::string>> values{};  // by the name of the flag
  std::vector<std::string> words{};                               // that belong to no flag
  // Whether this flag was typed before the first word; false without the flag.
  bool IsBeforeWords(const Flag& flag) const;
  std::vector<std::string> order{};   // the names of flags as they were typed, "" for a word
  std::vector<std::string> inputs{};  // the files that the command reads

  // All words, as they were typed, after the names of the tool and of the command.
  std::vector<std::string> command_line{};

  // The usage line of the command, for messages.
  std::string usage{};

  // The path of this program. `command_line` names the tool, but the program of a user has another name.
  std::string program{};
};

}  // namespace schedbench::cli

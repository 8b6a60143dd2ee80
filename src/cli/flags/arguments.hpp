#pragma once

#include "base/vector_of.hpp"
#include "cli/flags/flag.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace schedbench::cli {

// Returns the value of a text that obeys the rule of its flag.
template <typename T>
T ValueOf(const std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<T, std::chrono::nanoseconds>) {
    return T(std::llround(*ParseNanoseconds(text)));
  } else if constexpr (std::is_same_v<T, double>) {
    return *ParseShare(text);
  } else {
    T number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
}

// The words of a command that do not belong to a flag.
struct Words {
  std::string_view usage = "";  // "FILE..."; follows the choices of `first`
  std::size_t min = 0;
  std::size_t max = 0;
  Names are = Names::kNone;  // names for words without a rule in `first`
  // Returns the files that the command reads because of its words. Null: none.
  std::vector<std::string> (*files)(const std::vector<std::string>& words) = nullptr;
  ValueRule first = {};  // the rule of the first word, if it differs
};

// A function for `Words::files`: all words are files.
inline std::vector<std::string> AllWords(const std::vector<std::string>& words) {
  return words;
}

// The words after the name of the command. Values obey the rules of their flags.
struct Arguments {
  // Returns whether the user gave the flag.
  bool Has(const Flag& flag) const;

  // Returns the texts of all values; without any value the default, if there is one.
  std::vector<std::string> Values(const Flag& flag) const;

  // Returns whether a switch is given; all values of a repeatable flag; of another flag the last
  // value, or the default; none if there is neither.
  template <typename T, Count kCount>
  auto operator[](const TypedFlag<T, kCount>& flag) const {
    if constexpr (std::is_same_v<T, bool>) {
      return Has(flag);
    } else {
      const auto all = VectorOf(Values(flag), &ValueOf<T>);
      if constexpr (kCount == Count::kMany) {
        return all;
      } else if constexpr (kCount == Count::kOne) {
        return all.back();
      } else {
        return all.empty() ? std::nullopt : std::optional(all.back());
      }
    }
  }

  std::map<std::string_view, std::vector<std::string>> values{};  // values by the name of the flag
  std::vector<std::string> words{};  // words that do not belong to a flag
  // Returns whether this flag was typed before the first word; false without the flag.
  bool IsBeforeWords(const Flag& flag) const;
  std::vector<std::string> order{};   // names of flags in the typed order, "" for a word
  std::vector<std::string> inputs{};  // the files that the command reads

  // All words as typed, after the names of the tool and of the command.
  std::vector<std::string> command_line{};

  std::string usage{};  // the usage line of the command, for messages

  // The path of this program. `command_line` names the tool, but a user's program has another name.
  std::string program{};
};

// Returns the location of a problem with the last value of a flag.
std::string PlaceOf(const Flag& flag, const Arguments& arguments);

// Adds a problem with this message for each of the flags that the user gave.
void RefuseFlags(const Arguments& arguments, std::span<const Flag> flags,
                 const std::string& message, config::Problems& problems);

}  // namespace schedbench::cli

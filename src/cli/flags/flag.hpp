#pragma once

#include "config/input_error.hpp"
#include "config/problems.hpp"

#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace schedbench::cli {

// The allowed values of a flag. The parser refuses all other values.
struct ValueRule {
  // Returns what is wrong with a value; "" if nothing is. Null: any text is allowed.
  std::string (*complaint)(const ValueRule& rule, const std::string& text) = nullptr;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::span<const std::string_view> choices = {};  // without a complaint: only for the help
  char separator = '\0';  // separator of a list; the rule holds for each of its parts
};

// Returns how to write a time whose unit is missing, in those of three units in which it is from
// `least` to `most` nanoseconds; "" if there are none, or for another text.
std::string MissingUnit(const std::string& text, const std::array<std::string_view, 3>& units,
                        double least = 0, double most = std::numeric_limits<double>::infinity());

// The rules. Each complaint states what is allowed.
std::string FieldComplaint(const ValueRule& rule, const std::string& text);
std::string TimeComplaint(const ValueRule& rule, const std::string& text);
std::string ShareComplaint(const ValueRule& rule, const std::string& text);
std::string NameComplaint(const ValueRule& rule, const std::string& text);

// `words`: texts that are allowed in addition to the numbers.
constexpr ValueRule WholeNumber(std::uint64_t min, std::uint64_t max,
                                std::span<const std::string_view> words = {}) {
  return {.complaint = &FieldComplaint, .min = min, .max = max, .choices = words};
}

constexpr ValueRule OneOf(std::span<const std::string_view> choices, char separator = '\0') {
  return {.complaint = &FieldComplaint, .choices = choices, .separator = separator};
}

// Allows "500ms", "1.5s", "2m": 1 ms to 1000 h.
inline constexpr ValueRule kTime{.complaint = &TimeComplaint, .min = 1};
// Allows also "0" and "none".
inline constexpr ValueRule kTimeOrZero{.complaint = &TimeComplaint};
// Allows numbers above 0 and at most 1; "2%" and "0.02" are equal.
inline constexpr ValueRule kShare{.complaint = &ShareComplaint};
// Allows non-empty texts without control characters.
inline constexpr ValueRule kPrintableName{.complaint = &NameComplaint};
// A number of rounds or blocks. The metrics of a million rounds take some hundred MB.
inline constexpr ValueRule kSomeRounds = WholeNumber(1, 1'000'000);
inline constexpr ValueRule kAnyRounds = WholeNumber(0, 1'000'000);

// The use of the file that a flag names.
enum class FileUse { kNone, kRead, kWritten };

// Names that shells complete. kFile: any file; for flags it follows from the value "FILE".
enum class Names : std::uint8_t {
  kNone,
  kAlternative,  // for compare: a scheduler with settings, or a config
  kAudited,      // for audit: a workload, then alternatives
  kCommand,
  kConfig,
  kDescribed,  // a name of the kind that the previous word names
  kField,      // a field of the chosen scheduler
  kMetric,
  kFile,
  kPeer,
  kScheduler,
  kSweepKey,    // for sweep --over: a field, a parameter, scheduler
  kTunedField,  // for tune --over: a field, all
  kWorkload,
  kWorkloadOrSuite,
};

// A flag with any type of value, for the parser, help, suggestions, man page and completion.
struct Flag {
  std::string_view name;        // "--config"
  std::string_view short_name;  // "-o", or ""
  std::string_view value;       // the value in the help: "FILE"; "" for a switch
  std::string_view doc;
  ValueRule rule = {};
  std::string_view default_value = "";  // "" for none
  std::string_view usual = "";          // the help's text for a variable default; "" for none
  bool repeatable = false;              // every value counts; otherwise the last one
  FileUse file = FileUse::kNone;        // the parser refuses an output that is also an input
  std::string_view once = "";     // advice for refusing a second value; "": it overrides the first
  Names names = Names::kNone;     // names with which the value begins
  std::string_view actions = "";  // names of the actions that take it, if the command has actions
  // Paragraph in the help of each command that takes the flag or its group.
  std::string_view paragraph = "";
};

// The values of a flag for a command: none or one, one or the default, or any number.
enum class Count { kOptional, kOne, kMany };

// A flag whose values are T. Each value obeys the rule of T, or that of Checked().
//   TimeFlag{"--timeout", "", "TIME", "How long a round may take"}.Default("60s")
template <typename T, Count kCount = Count::kOptional>
struct TypedFlag : Flag {
  constexpr TypedFlag(std::string_view name_, std::string_view short_name_, std::string_view value_,
                      std::string_view doc_)
      : Flag{.name = name_, .short_name = short_name_, .value = value_, .doc = doc_} {
    if constexpr (std::is_same_v<T, std::chrono::nanoseconds>) {
      rule = kTime;
    } else if constexpr (std::is_same_v<T, double>) {
      rule = kShare;
    }
  }
  constexpr explicit TypedFlag(const Flag& flag)
      : Flag(flag) {
  }

  // Returns a copy with one member changed. It is defined before its uses, because clang
  // instantiates it in the order of the source.
  template <Count kOther = kCount, typename Member>
  constexpr TypedFlag<T, kOther> With(Member Flag::* member,
                                      const std::type_identity_t<Member>& value_) const {
    TypedFlag<T, kOther> flag(*this);
    flag.*member = value_;
    return flag;
  }

  // Each function returns a changed copy.
  constexpr auto Described(std::string_view text) const {
    return With(&Flag::doc, text);
  }
  constexpr auto Checked(const ValueRule& by) const {
    return With(&Flag::rule, by);
  }
  constexpr auto Once(std::string_view advice) const {
    return With(&Flag::once, advice);
  }
  constexpr auto Reads() const {
    return With(&Flag::file, FileUse::kRead);
  }
  constexpr auto Writes() const {
    return With(&Flag::file, FileUse::kWritten);
  }
  constexpr auto Completed(Names by) const {
    return With(&Flag::names, by);
  }
  constexpr auto Taking(std::string_view text) const {
    return With(&Flag::value, text);
  }
  constexpr auto Explained(std::string_view text) const {
    return With(&Flag::paragraph, text);
  }
  constexpr auto Usually(std::string_view text) const {
    return With(&Flag::usual, text).With(&Flag::default_value, "");
  }
  constexpr auto Default(std::string_view text) const {
    constexpr Count kOther = kCount == Count::kMany ? kCount : Count::kOne;
    return With<kOther>(&Flag::default_value, text).With(&Flag::usual, "");
  }
  constexpr auto Repeatable() const {
    return With<Count::kMany>(&Flag::repeatable, true).With(&Flag::once, "");
  }
};

using SwitchFlag = TypedFlag<bool>;
using TextFlag = TypedFlag<std::string>;
using NumberFlag = TypedFlag<std::uint64_t>;
using CountFlag = TypedFlag<std::uint32_t>;
using TimeFlag = TypedFlag<std::chrono::nanoseconds>;
using ShareFlag = TypedFlag<double>;

// The flags of a command, or a group of flags, in the order of the help.
template <std::size_t N>
struct FlagList {
  std::array<Flag, N> flags{};
  std::size_t count = 0;

  // Adds a flag. It replaces an earlier one of the same name.
  constexpr void Add(const Flag& flag) {
    std::size_t place = 0;
    while (place < count && flags[place].name != flag.name) {
      ++place;
    }
    flags[place] = flag;
    count = place == count ? count + 1 : count;
  }
  template <std::size_t M>
  constexpr void Add(const FlagList<M>& group) {
    for (const Flag& flag : group) {
      Add(flag);
    }
  }

  constexpr const Flag* begin() const {
    return flags.data();
  }
  constexpr const Flag* end() const {
    return flags.data() + count;
  }
};

// The type of these functions is the number of flags in a part of FlagsOf(); nothing calls them.
std::integral_constant<std::size_t, 1> SizeOf(const Flag& flag);
template <std::size_t N>
std::integral_constant<std::size_t, N> SizeOf(const FlagList<N>& group);

// Returns flags and groups as one list. A flag after a group overrides the group's flag.
template <typename... Parts>
constexpr auto FlagsOf(const Parts&... parts) {
  FlagList<(decltype(SizeOf(parts))::value + ...)> list;
  (list.Add(parts), ...);
  return list;
}

// Returns the flags for the actions of this command with these names: "measure bisect".
template <typename... Parts>
constexpr auto FlagsFor(std::string_view actions, const Parts&... parts) {
  auto list = FlagsOf(parts...);
  for (Flag& flag : list.flags) {
    flag.actions = actions;
  }
  return list;
}

// Return none if the text is not a number, time or share, or a number that a double cannot hold.
std::optional<double> ParseNumber(std::string_view text);
std::optional<double> ParseNanoseconds(
    std::string_view text);  // "500ms", "1m30s"; units: ns, us, ms, s, m, h
std::optional<double> ParseShare(std::string_view text);

// Returns the location of a problem: "--rounds x".
std::string PlaceOf(const Flag& flag, std::string_view value);

// The location of a problem: a flag, or any text.
struct Where {
  std::string text;

  Where(const Flag& flag)
      : text(flag.name) {
  }
  template <typename Text>
    requires std::is_convertible_v<Text, std::string>
  Where(Text place)
      : text(std::move(place)) {
  }
};

// Adds a problem.
template <typename... Args>
void Reject(config::Problems& problems, Where where, fmt::format_string<Args...> message,
            Args&&... args) {
  problems.Add(std::move(where.text), "", fmt::format(message, std::forward<Args>(args)...));
}

// Throws config::InputError.
template <typename... Args>
[[noreturn]] void RefuseInput(fmt::format_string<Args...> message, Args&&... args) {
  throw config::InputError(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace schedbench::cli

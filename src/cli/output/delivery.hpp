#pragma once

#include "cli/flags/arguments.hpp"
#include "report/format.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// A member of formats, in the order of the help. `with_repetitions`: with those that need them.
template <std::string_view report::Format::* text, bool with_repetitions>
inline constexpr auto kTextsOfFormats = [] {
  constexpr auto has_text = [](const report::Format& format) {
    return !(format.*text).empty() && (with_repetitions || !format.needs_repetitions);
  };
  std::array<std::string_view, std::ranges::count_if(report::kFormats, has_text)> texts{};
  std::size_t count = 0;
  for (const report::Format& format : report::kFormats) {
    if (has_text(format)) {
      texts[count++] = format.*text;
    }
  }
  return texts;
}();
template <bool with_repetitions>
inline constexpr auto kFormatNames = kTextsOfFormats<&report::Format::name, with_repetitions>;

// The flags for the file and the format of a result.
template <bool with_repetitions>
inline constexpr auto kFormatFlagOf =
    TextFlag{"--format", "-f", "FORMAT", "The format of the result:"}
        .Checked(OneOf(kFormatNames<with_repetitions>))
        .Usually("by the extension of -o FILE, otherwise table");
inline constexpr auto kFormatFlag = kFormatFlagOf<false>;
inline constexpr auto kFormatOfRoundsFlag = kFormatFlagOf<true>;
inline constexpr auto kFileFlag =
    TextFlag{"--output", "-o", "FILE",
             "Write the result to a file, whole or not at all; stdout has the table, unless "
             "--quiet is given. The file ends in:"}
        .Checked({.choices = kTextsOfFormats<&report::Format::extension, true>});
inline constexpr auto kOutputFlag = kFileFlag.Writes().Repeatable();
inline constexpr auto kVerboseFlag =
    SwitchFlag{"--verbose", "-v", "", "Also report each block, and the command of each agent"};
inline constexpr auto kQuietFlag =
    SwitchFlag{"--quiet", "-q", "", "No progress on stderr; with -o, no table on stdout"};
inline constexpr auto kOutputFlags = FlagsOf(kFormatFlag, kOutputFlag, kQuietFlag);
inline constexpr auto kOutputOfRoundsFlags = FlagsOf(kFormatOfRoundsFlag, kOutputFlag, kQuietFlag);

// Writes a command's result to the files and formats of these flags, and the table to stdout.
class Delivery {
 public:
  // Makes a delivery for results of type `Result`. Throws platform::WriteError if a file cannot be
  // written, and config::InputError if these results do not have the format or a page cannot go to
  // stdout. It throws before the measurement, not after an hour of it.
  template <typename Result>
  static Delivery Of(const Arguments& arguments) {
    return Delivery(arguments, &report::HasFormat<Result>);
  }

  // Writes a result of that type. If a file cannot be written, its content goes to stdout, a page
  // as a table; throws WriteError after all others. At the end throws `unwritten`, if it is not
  // null: why another file of the command could not be written.
  template <typename Result>
  void Deliver(const Result& result, const std::exception_ptr& unwritten = nullptr) const {
    Write([&](const report::Format& format, const report::TerminalStyle& style) {
      return report::Rendered(format, result, style);
    });
    if (unwritten) {
      std::rethrow_exception(unwritten);
    }
  }

 private:
  using HasFormat = bool (*)(const report::Format&);
  using Render = std::function<std::string(const report::Format&, const report::TerminalStyle&)>;

  Delivery(const Arguments& arguments, HasFormat has_format);

  void Write(const Render& render) const;

  struct Target {
    const report::Format* format;
    std::optional<std::string> file;  // none: stdout
  };
  std::vector<Target> targets_;  // files, then stdout
};

}  // namespace schedbench::cli

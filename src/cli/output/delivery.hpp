#pragma once

#include "cli/flags/arguments.hpp"
#include "report/format.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// The flags for the place and the form of a result. Each kind of results has the first N formats.
template <std::size_t N>
constexpr TextFlag FormatFlag(std::string_view doc) {
  return TextFlag{"--format", "-f", "FORMAT", doc}
      .Checked(OneOf(std::span(report::kFormatNames).template first<N>()))
      .Usually("by the extension of -o FILE, else table");
}
inline constexpr auto kFormatFlag =
    FormatFlag<6>("table, json, csv, markdown, html or gbench-json");
inline constexpr auto kTableOrPageFlag = FormatFlag<5>("table, json, csv, markdown or html");
inline constexpr auto kTableFormatFlag = FormatFlag<4>("table, json, csv or markdown");
inline constexpr auto kFileFlag =
    TextFlag{"--output", "-o", "FILE",
             "Write the result to a file, whole or not at all: .txt, .json, .csv, .md, .html. "
             "stdout has the table, unless --quiet is given"};
inline constexpr auto kOutputFlag = kFileFlag.Writes().Repeatable();
inline constexpr auto kTableOutputFlag = kOutputFlag.Described(
    "Write the result to a file, whole or not at all: .txt, .json, .csv, .md. stdout has the "
    "table, unless --quiet is given");
inline constexpr auto kVerboseFlag =
    SwitchFlag{"--verbose", "-v", "", "Also report each block, and the command of each agent"};
inline constexpr auto kQuietFlag =
    SwitchFlag{"--quiet", "-q", "", "No progress on stderr; with -o, no table on stdout"};
inline constexpr auto kOutputFlags = FlagsOf(kFormatFlag, kOutputFlag, kQuietFlag);
inline constexpr auto kPageOutputFlags = FlagsOf(kTableOrPageFlag, kOutputFlag, kQuietFlag);
inline constexpr auto kTableOutputFlags = FlagsOf(kTableFormatFlag, kTableOutputFlag, kQuietFlag);

// Writes the result of a command to the files and in the forms of these flags, and the table to stdout.
class Delivery {
 public:
  // Makes a delivery for results of type `Result`. Throws platform::WriteError if the file cannot
  // be written, and config::InputError if these results do not have the form, or a page has no
  // place: before the measurement, not after an hour of it.
  template <typename Result>
  static Delivery Of(const Arguments& arguments) {
    return Delivery(arguments, &report::HasForm<Result>);
  }

  // Writes a result of that type. What cannot be written to a file is written to stdout, a page as
  // a table; after the others, throws WriteError.
  template <typename Result>
  void Deliver(const Result& result) const {
    Write([&](report::Form form, const report::TerminalStyle& style) {
      return report::Rendered(form, result, style);
    });
  }

 private:
  using HasForm = bool (*)(report::Form);
  using Render = std::function<std::string(report::Form, const report::TerminalStyle&)>;

  Delivery(const Arguments& arguments, HasForm has_form);

  void Write(const Render& render) const;

  struct Target {
    const report::Format* format;
    std::optional<std::string> file;  // none: stdout
  };
  std::vector<Target> targets_;  // files, then stdout
};

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "report/format.hpp"

#include <functional>
#include <optional>
#include <string>

namespace schedbench::cli {

// The flags for the place and the form of a result.
inline constexpr Flag kFormatFlag =
    Flag{"--format", "-f", "table|json",
         "Form of the result (default: json for -o *.json, else table)"}
        .Checked(OneOf(report::kFormatNames));
inline constexpr Flag kOutputFlag =
    Flag{"--output", "-o", "FILE",
         "Write the result to a file, whole or not at all, instead of stdout"}
        .Writes();
inline constexpr Flag kVerboseFlag{"--verbose", "-v", "",
                                   "Also report each block, and the command of each agent"};
inline constexpr Flag kQuietFlag{"--quiet", "-q", "", "No progress on stderr"};

// Writes the result of a command to the place and in the form of these flags.
class Delivery {
 public:
  // Throws platform::WriteError if the file cannot be written: before the measurement, not after an hour of it.
  explicit Delivery(const Arguments& arguments);

  using Render = std::function<std::string(const report::Format&, const report::TerminalStyle&)>;

  // Writes the result. If the file cannot be written, writes it to stdout and throws WriteError.
  void Deliver(const Render& render) const;

 private:
  const report::Format& format_;
  std::optional<std::string> file_;
};

}  // namespace schedbench::cli

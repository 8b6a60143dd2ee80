#pragma once

#include "cli/flags/arguments.hpp"
#include "report/format.hpp"

#include <functional>
#include <optional>
#include <string>

namespace schedbench::cli {

// The flags that say where a result goes and in which form.
inline constexpr Flag kFormatFlag =
    Flag{"--format", "-f", "table|json", "Of the result (default: json for -o *.json, else table)"}
        .Checked(OneOf(report::kFormatNames));
inline constexpr Flag kOutputFlag{"--output", "-o", "FILE",
                                  "Write the result there, whole or not at all, instead of stdout"};
inline constexpr Flag kVerboseFlag{"--verbose", "-v", "",
                                   "Also each block, and how each was started"};
inline constexpr Flag kQuietFlag{"--quiet", "-q", "", "No progress on stderr"};

// Where the result of a command goes, and in which form, by these flags.
class Delivery {
 public:
  // Throws platform::WriteError of a file that cannot be written: now, and not after an hour of measuring.
  explicit Delivery(const Arguments& arguments);

  using Render = std::function<std::string(const report::Format&, const report::TerminalStyle&)>;

  // Writes the result. What cannot be written to its file goes to stdout before the WriteError is thrown.
  void Deliver(const Render& render) const;

 private:
  const report::Format& format_;
  std::optional<std::string> file_;
};

}  // namespace schedbench::cli

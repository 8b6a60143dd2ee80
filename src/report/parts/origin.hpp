#pragma once

#include "platform/machine/machine_info.hpp"
#include "report/parts/terminal_style.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The head and the foot of every report for people. Pure; thread-safe.

namespace schedbench::report {

// Width in characters at which lines are broken, if possible.
inline constexpr std::size_t kLineWidth = 100;

// Joins the parts by a middle dot, and breaks the line before a part that does not fit. `indent`:
// that of the first line, which the caller prints, and of the other lines.
std::string Joined(const std::vector<std::string>& parts, std::size_t indent,
                   const TerminalStyle& style);

// Returns "  machine text" and a newline, the label dimmed.
std::string LabelledLine(std::string_view label, std::string_view text, const TerminalStyle& style);

// Returns what the process lacks on the machine, as notes, and then the facts to repeat a
// measurement: machine, build, seed and command, one or more lines for each.
std::string OriginLines(const platform::MachineInfo& machine,
                        const std::vector<std::string>& command, std::optional<std::uint64_t> seed,
                        const TerminalStyle& style);

// Returns OriginLines() as names and texts, for pages. `seed`: none if the result lacks one.
std::vector<std::pair<std::string, std::string>> OriginFacts(
    const platform::MachineInfo& machine, const std::vector<std::string>& command,
    std::optional<std::uint64_t> seed);

}  // namespace schedbench::report

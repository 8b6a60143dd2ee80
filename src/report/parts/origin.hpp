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

// Characters. Lines are broken at this width, if possible.
inline constexpr std::size_t kLineWidth = 100;

// Joins the parts by a middle dot, and breaks the line before a part that does not fit. `indent`: of the first line, where the
// text will be, and of the following lines.
std::string Joined(const std::vector<std::string>& parts, std::size_t indent,
                   const TerminalStyle& style);

// Returns "  machine text" and a newline, the label dimmed.
std::string LabelledLine(std::string_view label, std::string_view text, const TerminalStyle& style);

// Returns a labelled line on blocks that were disturbed: measured again, or counted all the same; "" if there are none.
std::string DisturbedLine(std::size_t repeated, std::size_t counted, const TerminalStyle& style);

// Returns what the process lacks on the machine, as notes, and then the facts to repeat a
// measurement: machine, build, seed and command, one or more lines for each.
std::string OriginLines(const platform::MachineInfo& machine,
                        const std::vector<std::string>& command, std::optional<std::uint64_t> seed,
                        const TerminalStyle& style);

// The same as names and texts in one line each, for pages. `seed`: none where the result does not depend on one.
std::vector<std::pair<std::string, std::string>> OriginFacts(
    const platform::MachineInfo& machine, const std::vector<std::string>& command,
    std::optional<std::uint64_t> seed);

}  // namespace schedbench::report

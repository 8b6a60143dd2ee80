#pragma once

#include "platform/machine/machine_info.hpp"
#include "report/parts/terminal_style.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What stands at the head and the foot of every report for people. Pure; thread-safe.

namespace schedbench::report {

// Characters of a line that is broken where it can be.
inline constexpr std::size_t kLineWidth = 100;

// Joins the parts by a middle dot and breaks the line before a part that would go beyond the last column. `indent`: of the
// first line, where the text will stand, and of those that follow.
std::string Joined(const std::vector<std::string>& parts, std::size_t indent,
                   const TerminalStyle& look);

// Returns "  machine text" and a newline, the label dimmed.
std::string LabelledLine(std::string_view label, std::string_view text, const TerminalStyle& look);

// Returns what it takes to repeat a measurement: machine, build, seed and command, a line or more for each.
std::string OriginLines(const platform::MachineInfo& machine,
                        const std::vector<std::string>& command, std::uint64_t seed,
                        const TerminalStyle& look);

}  // namespace schedbench::report

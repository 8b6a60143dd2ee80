#pragma once

#include "report/parts/terminal_style.hpp"
#include "timeline/summary.hpp"

#include <string>

namespace schedbench::report {

// Returns what `trace --summary` prints: what the workers did, the core time that was wasted, the longest waits with who
// caused them, and who stole from whom.
std::string TimelineText(const timeline::Summary& summary, const TerminalStyle& look);

}  // namespace schedbench::report

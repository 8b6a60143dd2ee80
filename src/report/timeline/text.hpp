#pragma once

#include "report/parts/terminal_style.hpp"
#include "timeline/summary.hpp"

#include <string>

namespace schedbench::report {

// Returns the text of `trace --summary`: the activity of the workers, the wasted core time, the
// longest waits with their causes, and the steals between workers.
std::string TimelineText(const timeline::Summary& summary, const TerminalStyle& style);

}  // namespace schedbench::report

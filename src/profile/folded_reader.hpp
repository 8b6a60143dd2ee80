#pragma once

#include "profile/stack_text.hpp"

#include <string_view>

namespace schedbench::profile {

// Reads folded stacks of FoldedText() or another tool: "root;...;leaf WEIGHT". Equal stacks are
// added up. A weight may have a fraction, see StackText::scale. If most lines have two weights, as
// difffolded.pl prints them, the first is the earlier one, which a note reports: names that end
// with a number are rare. Lines with one weight are then bad. Empty lines and comments (#, //) are
// skipped, bad lines are counted. `file`: its name, for messages. Throws config::InputError with
// the first bad line if there is no stack. Pure; thread-safe.
StackText ParseFolded(std::string_view text, std::string_view file);

}  // namespace schedbench::profile

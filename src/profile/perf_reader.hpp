#pragma once

#include "profile/stack_text.hpp"

#include <string_view>

namespace schedbench::profile {

// Whether a text is what `perf script` prints, and not folded stacks. Looks at its first lines.
// Pure; thread-safe.
bool IsPerfScript(std::string_view text);

// Folds what `perf script` prints of samples, with and without call graphs, ours
// (WritePerfScript()) or perf's own. The command of the thread is outermost. A sample weighs its
// period in the unit of its event, or 1 where none is printed. Lines that are no part of a sample
// are counted. Frames have marks (foreign_name.hpp). `file`: its name, for messages. Throws
// config::InputError if there is no sample. Pure; thread-safe.
StackText FoldPerfScript(std::string_view text, std::string_view file);

}  // namespace schedbench::profile

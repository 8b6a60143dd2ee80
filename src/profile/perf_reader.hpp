#pragma once

#include "profile/stack_text.hpp"

#include <string_view>

namespace schedbench::profile {

// Returns whether a text, by its first lines, is from `perf script`. Pure; thread-safe.
bool IsPerfScript(std::string_view text);

// Folds the samples in the output of `perf script`, with and without call graphs, ours
// (WritePerfScript()) or perf's own. The command of the thread is outermost. A sample weighs its
// period in the unit of its event, or 1 where none is printed. Lines outside of samples are
// counted. Frames have marks (foreign_name.hpp). `file`: its name, for messages. Throws
// config::InputError without a sample. Pure; thread-safe.
StackText FoldPerfScript(std::string_view text, std::string_view file);

}  // namespace schedbench::profile

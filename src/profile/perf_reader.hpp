#pragma once

#include "profile/folded.hpp"

#include <string_view>

namespace schedbench::profile {

// Whether a text is what `perf script` prints, and not folded stacks.
bool IsPerfScript(std::string_view text);

// Folds what `perf script` prints of samples with stacks, ours (WritePerfScript()) or perf's own. The command of the thread is
// outermost. A sample weighs its period, or 1 where none is printed. Samples of other events than the first are left out, as
// the weights of two events cannot be added. `file`: its name, for messages. Throws config::InputError with the file, the line
// and the reason. Pure; thread-safe.
FoldedStacks FoldPerfScript(std::string_view text, std::string_view file);

// Whether the samples have a period. The periods of clocks, which is what is sampled here and where there are no counters, are
// nanoseconds.
bool HasPeriods(std::string_view perf_script);

}  // namespace schedbench::profile

#pragma once

#include "platform/files/raw_writer.hpp"
#include "platform/signals/machine_state.hpp"

namespace schedbench::platform {

// Learns what WriteBacktrace() needs and cannot find out in a signal handler: the path of the program; and makes
// the loader bind the unwinder. Once, before.
void PrepareBacktraces() noexcept;

// Writes the calls that led to where a signal interrupted the calling thread, innermost first, each as
// module+offset, and at the end the command that turns the program's own into names and lines. Of a deep recursion
// the inner and the outer end. Async-signal-safe: it reads call frame information, which the loader hands out
// without a lock, and goes by frame pointers where there is none, for example after a call through a bad
// pointer. Fibers' stacks end at their base.
void WriteBacktrace(RawWriter& out, const MachineState& interrupted) noexcept;

}  // namespace schedbench::platform

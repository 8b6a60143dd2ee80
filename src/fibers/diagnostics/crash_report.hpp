#pragma once

#include "platform/signals/crash_handler.hpp"

namespace schedbench::fibers {

// Reports what a crash means for fibers: whether a stack overflowed, whose stack the address lies in, which fiber ran. A
// platform::CrashReporter. Async-signal-safe.
void WriteCrashedFiber(platform::RawWriter& out, const platform::Crash& crash) noexcept;

}  // namespace schedbench::fibers

#pragma once

#include "platform/signals/crash_handler.hpp"

namespace schedbench::fibers {

// Reports a crash in terms of fibers: a stack overflow, the owner of the stack at the address, and
// the running fiber. A platform::CrashReporter. Async-signal-safe.
void WriteCrashedFiber(platform::RawWriter& out, const platform::Crash& crash) noexcept;

}  // namespace schedbench::fibers

#pragma once

#include "base/atomic.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::platform {

// All end in RefuseInChildOfFork() of thread.hpp.

// Blocks the thread while `word` holds `expected`. May return early (signal, stray wake): callers loop on
// their own condition. Any thread. Gives no memory order: the caller's own loads and stores do.
void FutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// The same with a limit. Returns false iff the time ran out.
bool FutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                  std::chrono::nanoseconds timeout) noexcept;

// Wakes at most `count` threads that wait on `word`. Safe in a signal handler. The word itself is not
// touched, so that a woken thread may free it: the worst that follows is a stray wake of a later owner.
void FutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count) noexcept;

inline constexpr std::uint32_t kWakeAll = 0x7fffffff;

}  // namespace schedbench::platform

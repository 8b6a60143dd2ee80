#pragma once

#include "base/atomic.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::platform {

// All of these end in RefuseInChildOfFork() of thread.hpp.

// Blocks the thread while `word` holds `expected`. It may return early (signal, stray wake):
// callers loop on their own condition. It gives no memory order: the caller's loads and stores do.
// Any thread.
void FutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// Blocks like FutexWait() with a limit. Returns false iff the time ran out.
bool FutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                  std::chrono::nanoseconds timeout) noexcept;

// Wakes at most `count` threads that wait on `word`. It does not touch the word itself, so a woken
// thread may free it: the worst result is a stray wake of a later owner. Safe in a signal handler.
void FutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count) noexcept;

inline constexpr std::uint32_t kWakeAll = 0x7fffffff;

}  // namespace schedbench::platform

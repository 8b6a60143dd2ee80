#pragma once

// SB_ASSERT(condition, message): detects a programmer's error. On in every build: a scheduler that
// continues after a broken invariant gives wrong results. Prints line, condition and message, and
// aborts.
#define SB_ASSERT(condition, message)                                         \
  do {                                                                        \
    if (!(condition)) [[unlikely]] {                                          \
      ::schedbench::AssertionFailed(__FILE__, __LINE__, #condition, message); \
    }                                                                         \
  } while (false)

namespace schedbench {

// Sets the function that is called before the message is printed: it restores a terminal. `call` is
// async-signal-safe. Requires: the process has one thread.
void SetBeforeAssertion(void (*call)() noexcept) noexcept;

// Prints the message and aborts. Thread-safe.
[[noreturn]] void AssertionFailed(const char* file, int line, const char* condition,
                                  const char* message) noexcept;

}  // namespace schedbench

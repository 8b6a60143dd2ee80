#pragma once

// SB_ASSERT(condition, message): a programmer's error. On in every build: a scheduler that continues after
// a broken invariant gives wrong results. Prints place, condition and message, then aborts.
#define SB_ASSERT(condition, message)                                         \
  do {                                                                        \
    if (!(condition)) [[unlikely]] {                                          \
      ::schedbench::AssertionFailed(__FILE__, __LINE__, #condition, message); \
    }                                                                         \
  } while (false)

namespace schedbench {

// What is called before the message is printed: it restores a terminal. `call` is async-signal-safe. While the process has one
// thread.
void SetBeforeAssertion(void (*call)() noexcept) noexcept;

// Thread-safe. Never returns.
[[noreturn]] void AssertionFailed(const char* file, int line, const char* condition,
                                  const char* message) noexcept;

}  // namespace schedbench

#pragma once

#include <string_view>

namespace schedbench::platform {

// Remembers the mode of the terminal at stdin, and the text that leaves the full screen (cut to 200
// bytes), for RestoreTerminal(). From now on SIGQUIT restores it before it ends the process. The
// main thread calls it before it enters the screen.
void RememberTerminal(std::string_view leave_text) noexcept;

// Restores the remembered terminal, once. For ends of the process that do not unwind the stack: a
// crash, a second Ctrl-C. Async-signal-safe.
void RestoreTerminal() noexcept;

// Records that the screen was left in order, so nothing has to be restored.
void ForgetTerminal() noexcept;

}  // namespace schedbench::platform

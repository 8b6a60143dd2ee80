#pragma once

#include <string_view>

namespace schedbench::platform {

// Remembers the mode of the terminal at stdin, and the text that brings it back from a full screen (cut to 200 bytes),
// for RestoreTerminal(). From now on SIGQUIT restores it before it ends the process. Main thread; before the screen is
// entered.
void RememberTerminal(std::string_view leave_text) noexcept;

// Brings the terminal back as it was remembered, once; else does nothing. For ends of the process that unwind no stack:
// a crash, a second Ctrl-C. Async-signal-safe.
void RestoreTerminal() noexcept;

// Nothing is left to restore: the screen has been left in order.
void ForgetTerminal() noexcept;

}  // namespace schedbench::platform

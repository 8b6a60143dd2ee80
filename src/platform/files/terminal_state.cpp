#include "platform/files/terminal_state.hpp"

#include "base/assert.hpp"
#include "base/atomic.hpp"

#include <termios.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include <unistd.h>

namespace schedbench::platform {

namespace {

// File-wide, for the signal handler. Written before is_remembered is set.
struct RememberedTerminal {
  termios mode{};
  bool has_mode = false;
  std::array<char, 200> leave{};
  std::size_t leave_size = 0;
};
RememberedTerminal remembered;
Atomic<bool> is_remembered{false};

// The handler is unset when it runs (SA_RESETHAND).
void OnQuit(int signal) {
  RestoreTerminal();
  ::raise(signal);
}

}  // namespace

void RememberTerminal(std::string_view leave_text) noexcept {
  remembered.has_mode = ::tcgetattr(STDIN_FILENO, &remembered.mode) == 0;
  remembered.leave_size = std::min(leave_text.size(), remembered.leave.size());
  std::copy_n(leave_text.begin(), remembered.leave_size, remembered.leave.begin());
  SetBeforeAssertion(&RestoreTerminal);
  struct sigaction action{};
  action.sa_handler = &OnQuit;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGQUIT, &action, nullptr);
  // release: pairs with the acquire of RestoreTerminal().
  is_remembered.Store(true, memory_order_release);
}

void RestoreTerminal() noexcept {
  // acquire: pairs with the release of RememberTerminal(). Only one crashing thread restores.
  if (!is_remembered.Exchange(false, memory_order_acquire)) {
    return;
  }
  const int saved_errno = errno;
  // A failed write cannot be reported anywhere.
  [[maybe_unused]] const ssize_t written =
      ::write(STDOUT_FILENO, remembered.leave.data(), remembered.leave_size);
  if (remembered.has_mode) {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &remembered.mode);
  }
  errno = saved_errno;
}

void ForgetTerminal() noexcept {
  // relaxed: nothing is read because of it.
  is_remembered.Store(false, memory_order_relaxed);
}

}  // namespace schedbench::platform

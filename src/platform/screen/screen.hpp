#pragma once

#include "platform/files/terminal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace schedbench::platform {

// The styles of text on a screen. With NO_COLOR the colours have no effect.
enum class ScreenLook : std::uint8_t { kPlain, kBold, kDim, kGreen, kBlue, kYellow };

// The whole terminal at stdin and stdout, drawn by ncurses. Its destructor and RestoreTerminal()
// restore it. One at a time in the program; main thread.
class Screen {
 public:
  // Throws std::runtime_error if the terminal of TERM cannot position text.
  Screen();
  ~Screen();

  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Returns the current size. Clears the screen if it has changed.
  TerminalSize Size();

  // Writes UTF-8 text into the next frame; cuts off what is outside of the screen.
  void Put(std::size_t row, std::size_t column, std::string_view text, ScreenLook look);

  // Shows the frame.
  void Show();

  // Returns a pressed key, or nothing. Never waits.
  std::optional<char> Key();

 private:
  void* terminal_;  // SCREEN of ncurses
  bool has_colour_ = false;
};

}  // namespace schedbench::platform

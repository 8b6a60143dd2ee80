#pragma once

#include "platform/files/terminal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace schedbench::platform {

// How text on a screen looks. The colours are replaced by nothing where NO_COLOR is set.
enum class ScreenLook : std::uint8_t { kPlain, kBold, kDim, kGreen, kBlue, kYellow };

// The whole terminal at stdin and stdout, drawn by ncurses. It is restored when this object ends, and by RestoreTerminal(). One at a
// time in the program; main thread.
class Screen {
 public:
  // Throws std::runtime_error if the terminal, of TERM, cannot place text.
  Screen();
  ~Screen();

  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // The size at the moment. Clears the screen if it has changed.
  TerminalSize Size();

  // Writes UTF-8 text into the next frame; what is outside of the screen is cut off.
  void Put(std::size_t row, std::size_t column, std::string_view text, ScreenLook look);

  // Shows the frame.
  void Show();

  // Returns a key that was pressed; none if there is none. Never waits.
  std::optional<char> Key();

 private:
  void* terminal_;  // SCREEN of ncurses
  bool has_colour_ = false;
};

}  // namespace schedbench::platform

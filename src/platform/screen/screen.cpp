#include "platform/screen/screen.hpp"

#include "platform/files/terminal_state.hpp"

#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>

// Macros of ncurses that are also names here and in the standard library.
#undef timeout
#undef lines
#undef columns

namespace schedbench::platform {

namespace {

constexpr std::array<short, 3> kColours{COLOR_GREEN, COLOR_BLUE, COLOR_YELLOW};

// Returns the text of a capability, or "" if the terminal lacks it.
std::string Capability(const char* name) {
  const char* const text = ::tigetstr(const_cast<char*>(name));
  return text == nullptr || text == reinterpret_cast<const char*>(-1) ? "" : text;
}

// Returns the text that restores plain text, a visible cursor and the former contents.
std::string LeaveText() {
  return Capability("sgr0") + Capability("cnorm") + Capability("rmcup");
}

// Without a locale in the environment, text is UTF-8, as in TakesUtf8().
void UseLocale() {
  if (std::setlocale(LC_CTYPE, "") == nullptr || MB_CUR_MAX == 1) {
    if (TakesUtf8()) {
      std::setlocale(LC_CTYPE, "C.UTF-8");
    }
  }
}

attr_t AttributeOf(ScreenLook look, bool has_colour) {
  switch (look) {
    case ScreenLook::kPlain:
      return A_NORMAL;
    case ScreenLook::kBold:
      return A_BOLD;
    case ScreenLook::kDim:
      return A_DIM;
    case ScreenLook::kGreen:
    case ScreenLook::kBlue:
    case ScreenLook::kYellow:
      break;
  }
  const int pair = static_cast<int>(look) - static_cast<int>(ScreenLook::kGreen) + 1;
  return has_colour ? static_cast<attr_t>(COLOR_PAIR(pair)) : A_NORMAL;
}

}  // namespace

Screen::Screen() {
  UseLocale();
  int error = 0;
  if (::setupterm(nullptr, 1, &error) != OK || Capability("cup").empty()) {
    const char* const name = std::getenv("TERM");
    throw std::runtime_error(std::string("the terminal cannot place text: TERM=") +
                             (name == nullptr ? "" : name));
  }
  RememberTerminal(LeaveText());
  ::del_curterm(::cur_term);  // newterm() makes its own
  terminal_ = ::newterm(nullptr, stdout, stdin);
  if (terminal_ == nullptr) {
    ForgetTerminal();
    throw std::runtime_error("ncurses cannot use this terminal");
  }
  ::cbreak();
  ::noecho();
  ::nonl();
  ::nodelay(stdscr, TRUE);
  ::keypad(stdscr, TRUE);
  ::curs_set(0);
  if (TakesColour(Stream::kOut) && ::has_colors() && ::start_color() == OK) {
    ::use_default_colors();
    for (std::size_t i = 0; i < kColours.size(); ++i) {
      ::init_pair(static_cast<short>(i + 1), kColours[i], -1);
    }
    has_colour_ = true;
  }
}

Screen::~Screen() {
  ::endwin();
  ForgetTerminal();
  ::delscreen(static_cast<SCREEN*>(terminal_));
}

TerminalSize Screen::Size() {
  const auto size = SizeOf(Stream::kOut);
  if (size && size->rows > 0) {
    const int rows = static_cast<int>(size->rows);
    const int across = static_cast<int>(size->columns);
    if (::is_term_resized(rows, across)) {
      ::resizeterm(rows, across);
      ::clear();
    }
  }
  return {.columns = static_cast<std::size_t>(COLS), .rows = static_cast<std::size_t>(LINES)};
}

void Screen::Put(std::size_t row, std::size_t column, std::string_view text, ScreenLook look) {
  ::attrset(static_cast<int>(AttributeOf(look, has_colour_)));
  ::mvaddnstr(static_cast<int>(row), static_cast<int>(column), text.data(),
              static_cast<int>(text.size()));
}

void Screen::Show() {
  ::refresh();
}

std::optional<char> Screen::Key() {
  const int key = ::getch();
  return key > 0 && key < 128 ? std::optional(static_cast<char>(key)) : std::nullopt;
}

}  // namespace schedbench::platform

#pragma once

#include "harness/top/snapshot.hpp"
#include "platform/screen/screen.hpp"
#include "report/top/top_frame.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace schedbench::cli {

// The readings of a scheduler, and the screen that shows them, if there is one. Main thread.
class TopDisplay {
 public:
  // Takes the terminal, unless the display is for one snapshot as text. Throws config::InputError
  // where the terminal cannot be drawn on.
  TopDisplay(report::TopView view, bool once);

  // Adds a reading of a process. Shows it from the second one of the same process on, unless
  // paused; the history continues also then. Returns the snapshot as text if it is for that, and
  // has two.
  std::string Add(const harness::TopReading& reading, std::uint64_t process = 0);

  // Shows a line of the program above the keys.
  void SetMessage(std::string text);

  // Handles keys, and a new size of the terminal. Returns false if q was pressed.
  bool HandleInput();

 private:
  bool HandleKey(char key);
  void Draw();

  report::TopView view_;
  std::unique_ptr<platform::Screen> screen_;  // none: for one snapshot
  platform::TerminalSize drawn_{};
  std::uint64_t drawn_ns_ = 0;  // when
  bool has_message_ = false;    // that is not drawn yet
  std::optional<harness::TopReading> last_;
  std::uint64_t process_ = 0;   // that it is of
  std::uint64_t start_ns_ = 0;  // of the first reading
  harness::TopSnapshot shown_;
  harness::TopHistory history_;
};

}  // namespace schedbench::cli

#pragma once

#include "harness/top/history.hpp"
#include "harness/top/snapshot.hpp"
#include "platform/screen/screen.hpp"
#include "report/top/top_frame.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace schedbench::cli {

// The readings of one source, and the screen that shows them. Main thread.
class TopDisplay {
 public:
  // Takes the terminal. Throws config::InputError where it cannot be drawn on.
  explicit TopDisplay(report::TopView view);

  // Adds a reading. Shows it from the second one on, unless paused; the history continues also then.
  void Add(const harness::TopReading& reading);

  // Shows a line of the program above the keys.
  void SetMessage(std::string text);

  // Handles keys, and a new size of the terminal. Returns false if q was pressed.
  bool HandleInput();

 private:
  bool HandleKey(char key);
  void Draw();

  report::TopView view_;
  std::unique_ptr<platform::Screen> screen_;
  platform::TerminalSize drawn_{};
  std::uint64_t drawn_ns_ = 0;  // when
  bool has_message_ = false;    // that is not drawn yet
  std::optional<harness::TopReading> last_;
  std::uint64_t start_ns_ = 0;  // of the first reading
  harness::TopSnapshot shown_;
  harness::TopHistory history_;
};

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/runner.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace schedbench::cli {

// A line on stderr that shows the progress of a run. Thread-safe.
class ProgressLine {
 public:
  // The line needs a terminal, and no --quiet.
  explicit ProgressLine(const Arguments& arguments);

  // Erases the line, so that the message of an exception does not follow it.
  ~ProgressLine() {
    Stop();
  }

  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Call it before each round. Draws at most ten times a second, so short rounds are not disturbed.
  void Update(std::size_t done, std::size_t of, bool warming_up = false);

  // Shows this text instead, if the last drawing is long enough ago.
  void Show(const std::function<std::string()>& text);

  // Shows this text at once, for steps that are few or long.
  void ShowStep(const std::string& text);

  // Returns Update() as a function. It must not outlive the line.
  harness::Progress Updates();

  // Erases the line for good.
  void Stop();

 private:
  // Draws the text at most ten times a second. `text` takes the seconds since the start.
  template <typename Text>
  void Draw(Text text);

  platform::Mutex mutex_;
  bool shown_;                  // guarded by mutex_
  std::uint64_t start_ns_;      // guarded by mutex_
  std::uint64_t drawn_ns_ = 0;  // guarded by mutex_
};

}  // namespace schedbench::cli

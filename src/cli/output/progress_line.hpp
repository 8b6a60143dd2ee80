#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/runner.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::cli {

// One line on stderr that tells how far a run is, rewritten as it goes on. Thread-safe.
class ProgressLine {
 public:
  // Shown on a terminal, unless --quiet is given.
  explicit ProgressLine(const Arguments& arguments);

  // A round is about to begin. Draws at most ten times a second, so that short rounds are not disturbed.
  void Update(std::size_t done, std::size_t of, bool warming_up = false);

  // Returns Update() as a function. It must not outlive the line.
  harness::Progress Updates();

  // Erases the line for good.
  void Stop();

 private:
  platform::Mutex mutex_;
  bool shown_;                  // guarded by mutex_
  std::uint64_t start_ns_;      // guarded by mutex_
  std::uint64_t drawn_ns_ = 0;  // guarded by mutex_
};

}  // namespace schedbench::cli

#pragma once

#include "platform/threads/mutex.hpp"

#include <cstdint>

namespace schedbench::cli {

// One line on stderr that tells how far a run is, rewritten as it goes on. Thread-safe.
class ProgressLine {
 public:
  // `shown`: whether there is anybody to see it.
  explicit ProgressLine(bool shown);

  // A round is about to begin. Draws at most ten times a second, so that short rounds are not disturbed.
  void Update(std::uint32_t done, std::uint32_t of, bool warming_up);

  // Erases the line for good.
  void Stop();

 private:
  platform::Mutex mutex_;
  bool shown_;                  // guarded by mutex_
  std::uint64_t start_ns_;      // guarded by mutex_
  std::uint64_t drawn_ns_ = 0;  // guarded by mutex_
};

}  // namespace schedbench::cli

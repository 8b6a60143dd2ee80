#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace schedbench::platform {

// A failed read. what() is the reason: "cannot be read: No such file or directory".
class ReadError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct InputLimits {
  std::size_t largest;  // bytes
  // The longest wait for the writer of a pipe.
  std::chrono::milliseconds silence = std::chrono::seconds(5);
};

// The name of stdin.
inline constexpr const char* kStdinName = "-";

// Reads a whole file, pipe or device; "-" is stdin. Never blocks for longer than `limits.silence`
// at a time, except for a terminal, and never reads more than one byte beyond `limits.largest`.
// Inflates gzip content up to the same limit. Throws ReadError, also for a folder and damaged gzip.
std::string ReadInput(const std::string& path, const InputLimits& limits);

}  // namespace schedbench::platform

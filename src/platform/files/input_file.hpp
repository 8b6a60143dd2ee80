#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace schedbench::platform {

// An input cannot be read. what() is the reason without the name: "cannot be read: No such file or directory".
class ReadError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct InputLimits {
  std::size_t largest;  // bytes
  std::chrono::milliseconds silence =
      std::chrono::seconds(5);  // longest wait for the writer of a pipe
};

// The name that stands for stdin.
inline constexpr const char* kStdinName = "-";

// Reads a whole file, pipe or device; "-" is stdin. Never blocks for longer than `limits.silence`
// at a time, except for a terminal, and never reads more than one byte beyond `limits.largest`.
// Content in gzip format is inflated, up to the same limit. Throws ReadError, also for a folder and
// for a damaged gzip file.
std::string ReadInput(const std::string& path, const InputLimits& limits);

}  // namespace schedbench::platform

#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace schedbench::platform {

// A file in memory, which this process and others of the user read by its name. Gone with the object.
class MemoryFile {
 public:
  // Throws std::system_error.
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();

  MemoryFile(MemoryFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {
  }
  MemoryFile& operator=(MemoryFile&&) = delete;

  // "/proc/4711/fd/5"
  std::string Path() const;

 private:
  int fd_;
};

}  // namespace schedbench::platform

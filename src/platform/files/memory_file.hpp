#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace schedbench::platform {

// A file in memory, which programs of this process read by its name. Gone with the object.
class MemoryFile {
 public:
  // Throws std::system_error.
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();

  MemoryFile(MemoryFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {
  }
  MemoryFile& operator=(MemoryFile&&) = delete;

  // "/proc/self/fd/5"
  std::string Path() const;

 private:
  int fd_;
};

}  // namespace schedbench::platform

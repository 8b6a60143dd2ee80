#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace schedbench::platform {

// A file in memory that the user's processes can read by its name. It ends with the object.
class MemoryFile {
 public:
  // Makes the file. Throws WriteError.
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();

  MemoryFile(MemoryFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {
  }
  MemoryFile& operator=(MemoryFile&&) = delete;

  // Returns the name, like "/proc/4711/fd/5".
  std::string Path() const;

 private:
  int fd_;
};

}  // namespace schedbench::platform

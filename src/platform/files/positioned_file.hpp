#pragma once

#include <cstdint>

namespace schedbench::platform {

// Files that are read and written at positions (FileRequest). Each call returns a number, or a
// negative errno. All may block; a signal does not end them. Any thread.

// The mode in which a file is opened.
enum class FileUse : std::uint8_t {
  kRead,       // it must exist
  kReadWrite,  // it must exist
  kCreate,     // to read and write; made if missing, emptied otherwise
  kCreateNew,  // to read and write; it must not exist
};

// Opens `path`; only its owner may read and write a new file. Returns the descriptor; -ESPIPE if
// `path` does not have positions (a pipe, a terminal).
int OpenFile(const char* path, FileUse use) noexcept;

// Makes a file without a name in `folder`, which ends with its last descriptor. Returns that.
int OpenTemporaryFile(const char* folder) noexcept;

// Returns the size in bytes.
std::int64_t FileSize(int fd) noexcept;

}  // namespace schedbench::platform

#pragma once

#include <cstdint>

namespace schedbench::platform {

// Files that are read and written at positions (FileRequest). Each call returns a number, or a negative errno. All of
// them may block; a signal does not end them. Any thread.

// How a file is opened.
enum class FileUse : std::uint8_t {
  kRead,       // it exists
  kReadWrite,  // it exists
  kCreate,     // to read and write; made if it does not exist, emptied if it does
  kCreateNew,  // to read and write; it must not exist
};

// Opens `path`; a new file may be read and written by its owner only. Returns the descriptor; -ESPIPE if `path` has no
// positions (a pipe, a terminal).
int OpenFile(const char* path, FileUse use) noexcept;

// Makes a file without a name in `folder`, which ends with its last descriptor. Returns the descriptor.
int OpenTemporaryFile(const char* folder) noexcept;

// Returns the size in bytes.
std::int64_t FileSize(int fd) noexcept;

}  // namespace schedbench::platform

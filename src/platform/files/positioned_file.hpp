#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

// Files that are read and written at positions. Each call returns a number, or a negative errno. All of them may block; a signal
// does not end them. Any thread.

// How a file is opened.
enum class FileUse : std::uint8_t {
  kRead,       // it exists
  kReadWrite,  // it exists
  kCreate,     // to read and write; made if it does not exist, emptied if it does
  kCreateNew,  // to read and write; it must not exist
};

// Opens `path`; a new file may be read and written by its owner only. Returns the descriptor.
int OpenFile(const char* path, FileUse use) noexcept;

// Makes a file without a name in `folder`, which ends with its last descriptor. Returns the descriptor.
int OpenTemporaryFile(const char* folder) noexcept;

// Reads to `into` from `position` on. Returns how many bytes, fewer at the end of the file.
std::int64_t ReadFileAt(int fd, std::uint64_t position, std::span<std::byte> into) noexcept;

// Writes `bytes` from `position` on. Returns how many bytes, fewer than there are where the medium is full.
std::int64_t WriteFileAt(int fd, std::uint64_t position, std::span<const std::byte> bytes) noexcept;

// Returns when what was written is on the medium, with what is needed to read it.
int SyncFile(int fd) noexcept;

// Returns the size in bytes.
std::int64_t FileSize(int fd) noexcept;

}  // namespace schedbench::platform

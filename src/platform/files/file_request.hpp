#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

// One operation on an open file, at a position. A thread can run it (RunRequest()), or io_uring.
struct FileRequest {
  enum class Kind : std::uint8_t {
    kRead,   // fills the bytes
    kWrite,  // writes the bytes
    kSync,   // what was written is on the medium afterwards, with what is needed to read it
  };

  Kind kind;
  int fd;
  std::uint64_t position;
  std::byte* bytes;  // of kWrite: not changed
  std::size_t size;

  // Reads to `into` from `position` on.
  static FileRequest Read(int fd, std::uint64_t position, std::span<std::byte> into) noexcept {
    return {Kind::kRead, fd, position, into.data(), into.size()};
  }
  // Writes `bytes` from `position` on.
  static FileRequest Write(int fd, std::uint64_t position,
                           std::span<const std::byte> bytes) noexcept {
    // The one type for both directions, as in struct iovec.
    return {Kind::kWrite, fd, position, const_cast<std::byte*>(bytes.data()), bytes.size()};
  }
  static FileRequest Sync(int fd) noexcept {
    return {Kind::kSync, fd, 0, nullptr, 0};
  }
};

// Runs `request` by a system call, which may block; a signal does not end it. Returns how many bytes it has read or
// written, or a negative errno. Fewer bytes than asked for: the file ends, the medium is full, or the call has a limit
// (2 GiB). Any thread.
std::int64_t RunRequest(const FileRequest& request) noexcept;

// The same for a read of what is in memory. -EAGAIN: it would wait for the medium, or the file system does not know
// that.
std::int64_t ReadWithoutWaiting(const FileRequest& request) noexcept;

}  // namespace schedbench::platform

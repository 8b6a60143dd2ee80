#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

// One operation on an open file, at a position, for a thread (RunRequest()) or io_uring.
struct FileRequest {
  enum class Kind : std::uint8_t {
    kRead,   // fills the bytes
    kWrite,  // writes the bytes
    kSync,   // puts all written data on the medium, with everything needed to read them
  };

  Kind kind;
  int fd;
  std::uint64_t position;
  std::byte* bytes;  // not changed by kWrite
  std::size_t size;

  // Makes a read to `into` from `position` on.
  static FileRequest Read(int fd, std::uint64_t position, std::span<std::byte> into) noexcept {
    return {Kind::kRead, fd, position, into.data(), into.size()};
  }
  // Makes a write of `bytes` from `position` on.
  static FileRequest Write(int fd, std::uint64_t position,
                           std::span<const std::byte> bytes) noexcept {
    // One type for both directions, as in struct iovec.
    return {Kind::kWrite, fd, position, const_cast<std::byte*>(bytes.data()), bytes.size()};
  }
  static FileRequest Sync(int fd) noexcept {
    return {Kind::kSync, fd, 0, nullptr, 0};
  }
};

// Runs `request` by a system call, which may block; a signal does not end it. Returns the number of
// bytes read or written, or a negative errno. It is smaller than requested if the file ends, the
// medium is full, or the call has a limit (2 GiB). Any thread.
std::int64_t RunRequest(const FileRequest& request) noexcept;

// Runs a read of data in memory. Returns -EAGAIN if it would wait for the medium, or if the file
// system cannot decide that.
std::int64_t ReadWithoutWaiting(const FileRequest& request) noexcept;

}  // namespace schedbench::platform

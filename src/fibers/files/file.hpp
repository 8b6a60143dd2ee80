#pragma once

#include "fibers/net/io_result.hpp"
#include "platform/files/positioned_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace schedbench::fibers {

// An open file that is read and written at positions. The kernel reports no file as ready, so an
// operation may wait for the medium, except a read of data in memory. io_uring runs other
// operations of fibers if a scheduler of the process uses it (netpoll=uring or auto). Otherwise
// they block their thread, in Blocking(), so other fibers continue if workers are handed off
// (blocking=hand_off). A signal does not end an operation. Move-only. Any number of fibers and
// threads may use it at a time, but only before Close() and the destructor.
class File {
 public:
  using Use = platform::FileUse;

  // Opens `path`. ESPIPE: it does not have positions (a pipe, a terminal).
  static IoResult<File> Open(const std::string& path, Use use);
  // Makes a file without a name in `folder`, which ends with this object.
  static IoResult<File> OpenTemporary(const std::string& folder);

  File(File&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {
  }
  File& operator=(File&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  // Closes the file.
  ~File() {
    Close();
  }

  // Reads from `position` on until `into` is full, or to the end: fewer bytes without an error.
  Transfer ReadAt(std::uint64_t position, std::span<std::byte> into) noexcept;

  // Writes all `bytes` from `position` on; zeros fill a gap after the end of the file. With an
  // error (ENOSPC, EFBIG), `bytes` of the result are written.
  Transfer WriteAt(std::uint64_t position, std::span<const std::byte> bytes) noexcept;

  // Returns when all writes would survive a power failure.
  IoError Sync() noexcept;

  // Returns the size in bytes.
  IoResult<std::uint64_t> Size() noexcept;

  // Closes the file; later operations fail with EBADF. Calling it again has no effect.
  void Close() noexcept;

 private:
  explicit File(int fd) noexcept
      : fd_(fd) {
  }

  static IoResult<File> Opened(int fd) noexcept;

  int fd_;
};

}  // namespace schedbench::fibers

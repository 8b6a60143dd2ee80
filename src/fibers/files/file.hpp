#pragma once

#include "fibers/net/io_result.hpp"
#include "platform/files/positioned_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace schedbench::fibers {

// An open file, which is read and written at positions. The kernel reports no file as ready, and an operation may wait
// for the medium. A read of what is in memory does not. Other operations of fibers are run by io_uring if a scheduler
// of the process uses it (netpoll=uring). Else they block their thread, in Blocking(), so that where workers are handed
// off (blocking=hand_off) other fibers continue. A signal does not end an operation. Move-only. Any number of fibers
// and threads may use it at a time, but Close() and the destructor come after all.
class File {
 public:
  using Use = platform::FileUse;

  // Opens `path`. ESPIPE: it has no positions (a pipe, a terminal).
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
  // Closes it.
  ~File() {
    Close();
  }

  // Reads from `position` on until `into` is full. Fewer bytes without an error: the file ends there.
  Transfer ReadAt(std::uint64_t position, std::span<std::byte> into) noexcept;

  // Writes all `bytes` from `position` on; where that is beyond the end, zeros fill the gap. With an error (ENOSPC,
  // EFBIG) `bytes` of the result are written.
  Transfer WriteAt(std::uint64_t position, std::span<const std::byte> bytes) noexcept;

  // Returns when what was written would survive a failure of the power.
  IoError Sync() noexcept;

  // Returns the size in bytes.
  IoResult<std::uint64_t> Size() noexcept;

  // Closes it; operations fail with EBADF then. Again: no effect.
  void Close() noexcept;

 private:
  explicit File(int fd) noexcept
      : fd_(fd) {
  }

  static IoResult<File> Opened(int fd) noexcept;

  int fd_;
};

}  // namespace schedbench::fibers

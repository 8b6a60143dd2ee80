#pragma once

#include "fibers/net/descriptor.hpp"

#include <cstddef>
#include <span>

namespace schedbench::fibers {

// The reading end of a pipe. Its operations are like those of Stream.
class PipeReader {
 public:
  // Reads at least one byte. 0 bytes without an error mean that the other end is closed.
  Transfer ReadSome(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;
  // Reads until `into` is full, or the other end is closed.
  Transfer ReadFull(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;

  // Closes this end. Waiting operations return ECANCELED. Idempotent. Any thread.
  void Close() noexcept {
    descriptor_->Close();
  }

 private:
  friend class Pipe;
  explicit PipeReader(DescriptorOwner descriptor) noexcept
      : descriptor_(std::move(descriptor)) {
  }

  DescriptorOwner descriptor_;
};

// The writing end of a pipe.
class PipeWriter {
 public:
  // Writes at least one byte of `bytes`, if it has any. EPIPE means that the other end is closed.
  Transfer WriteSome(std::span<const std::byte> bytes,
                     Deadline deadline = Deadline::Never()) noexcept;
  // Writes all bytes.
  Transfer WriteAll(std::span<const std::byte> bytes,
                    Deadline deadline = Deadline::Never()) noexcept;

  // Closes this end like PipeReader::Close().
  void Close() noexcept {
    descriptor_->Close();
  }

 private:
  friend class Pipe;
  explicit PipeWriter(DescriptorOwner descriptor) noexcept
      : descriptor_(std::move(descriptor)) {
  }

  DescriptorOwner descriptor_;
};

// A pipe of the system. The first one makes the process ignore SIGPIPE if it has no handler.
class Pipe {
 public:
  // Opens both ends.
  static IoResult<Pipe> Open() noexcept;

  PipeReader reader;
  PipeWriter writer;

 private:
  Pipe(DescriptorOwner read_end, DescriptorOwner write_end) noexcept
      : reader(std::move(read_end)),
        writer(std::move(write_end)) {
  }
};

}  // namespace schedbench::fibers

#pragma once

#include "fibers/net/descriptor.hpp"

#include <cstddef>
#include <span>

namespace schedbench::fibers {

// The reading end of a pipe. Operations are as those of Stream.
class PipeReader {
 public:
  // Reads at least one byte. 0 bytes without an error: the other end is closed.
  Transfer ReadSome(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;
  // Reads until `into` is full, or the other end is closed.
  Transfer ReadFull(std::span<std::byte> into, Deadline deadline = Deadline::Never()) noexcept;

  // Closes this end. Operations that wait return ECANCELED. Again: no effect. Any thread.
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
  // Writes at least one byte of `bytes`, if there is one. EPIPE: the other end is closed.
  Transfer WriteSome(std::span<const std::byte> bytes,
                     Deadline deadline = Deadline::Never()) noexcept;
  // Writes all bytes.
  Transfer WriteAll(std::span<const std::byte> bytes,
                    Deadline deadline = Deadline::Never()) noexcept;

  // Closes this end, as PipeReader does.
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

// A pipe of the system. The first one makes the process ignore SIGPIPE, unless the program handles it.
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

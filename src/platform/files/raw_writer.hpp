#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace schedbench::platform {

// A number in the form 0x1234.
struct Hex {
  std::uint64_t value;
};

// Writes text where nothing else works: in a signal handler, on a small stack, with a broken heap.
// Allocates nothing, takes no lock, calls only write(2). Async-signal-safe; one thread.
class RawWriter {
 public:
  // Writes to a file descriptor, through a small buffer.
  explicit RawWriter(int fd) noexcept
      : fd_(fd),
        memory_(&own_[0]),
        bytes_(sizeof(own_)) {
  }

  // Writes to memory; drops what does not fit.
  explicit RawWriter(std::span<char> memory) noexcept
      : fd_(-1),
        memory_(memory.data()),
        bytes_(memory.size()) {
  }

  ~RawWriter() {
    Flush();
  }

  RawWriter(const RawWriter&) = delete;
  RawWriter& operator=(const RawWriter&) = delete;

  RawWriter& operator<<(std::string_view text) noexcept;
  RawWriter& operator<<(std::uint64_t number) noexcept;
  RawWriter& operator<<(Hex number) noexcept;

  // Empties the buffer. No effect for memory.
  void Flush() noexcept;

  // Returns the text in memory so far.
  std::string_view Text() const noexcept {
    return {memory_, used_};
  }

 private:
  char own_[256];
  const int fd_;
  char* const memory_;
  const std::size_t bytes_;
  std::size_t used_ = 0;
};

}  // namespace schedbench::platform

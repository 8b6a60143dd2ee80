#include "platform/files/input_file.hpp"

#include "platform/files/gzip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

[[noreturn]] void ThrowErrno() {
  throw ReadError("cannot be read: " + std::generic_category().message(errno));
}

// Owns the descriptor of a path; stdin belongs to the process.
class Input {
 public:
  explicit Input(const std::string& path)
      : is_stdin_(path == kStdinName),
        // O_NONBLOCK: opening a pipe without a writer would block. It has no effect on files.
        fd_(is_stdin_ ? STDIN_FILENO
                      : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (fd_ < 0) {
      ThrowErrno();
    }
  }

  ~Input() {
    if (!is_stdin_) {
      ::close(fd_);
    }
  }

  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Waits until read() cannot block.
  void AwaitData(const InputLimits& limits) const {
    const int timeout = ::isatty(fd_) == 1 ? -1 : static_cast<int>(limits.silence.count());
    pollfd wanted{.fd = fd_, .events = POLLIN, .revents = 0};
    int ready = 0;
    do {
      ready = ::poll(&wanted, 1, timeout);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0) {
      ThrowErrno();
    }
    if (ready == 0) {
      throw ReadError(fmt::format("cannot be read: nothing was written into this pipe for {} ms",
                                  limits.silence.count()));
    }
  }

  // Returns the number of bytes, which is 0 at the end.
  std::size_t Read(char* data, std::size_t size) const {
    const ssize_t count = ::read(fd_, data, size);
    if (count < 0) {
      ThrowErrno();
    }
    return static_cast<std::size_t>(count);
  }

  bool IsFolder() const {
    struct stat status{};
    return ::fstat(fd_, &status) == 0 && S_ISDIR(status.st_mode);
  }

 private:
  const bool is_stdin_;
  const int fd_;
};

}  // namespace

std::string ReadInput(const std::string& path, const InputLimits& limits) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  const Input input(path);
  if (input.IsFolder()) {
    throw ReadError("is a directory");
  }
  std::string text;
  // One byte more than allowed detects too large inputs, whatever size they claim (/dev/zero).
  while (text.size() <= limits.largest) {
    const std::size_t before = text.size();
    text.resize(std::min(before + kPiece, limits.largest + 1));
    input.AwaitData(limits);
    const std::size_t count = input.Read(text.data() + before, text.size() - before);
    text.resize(before + count);
    if (count == 0) {
      text.shrink_to_fit();
      return IsGzip(text) ? Inflated(text, limits.largest) : text;
    }
  }
  throw ReadError(fmt::format("is larger than {} MiB", limits.largest >> 20U));
}

}  // namespace schedbench::platform

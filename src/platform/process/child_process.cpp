#include "platform/process/child_process.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

// The kept part of stderr: a screen or two.
constexpr std::size_t kErrorBytes = 4096;

[[noreturn]] void ThrowError(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// Both ends of a pipe that no other child inherits: otherwise its reader would never see an end.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      ThrowError(errno, "no pipe");
    }
  }

  ~Pipe() {
    for (const int fd : ends_) {
      if (fd >= 0) {
        ::close(fd);
      }
    }
  }

  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int ReadEnd() const {
    return ends_[0];
  }
  int WriteEnd() const {
    return ends_[1];
  }
  int TakeReadEnd() {
    return std::exchange(ends_[0], -1);
  }
  int TakeWriteEnd() {
    return std::exchange(ends_[1], -1);
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Appends the bytes that can be read now. Closes the stream at its end.
bool TakeFrom(int& fd, std::string& text) {
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  if (count > 0) {
    text.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }
  if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
    ::close(std::exchange(fd, -1));
  }
  return false;
}

timespec ToTimespec(nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const Options& options) {
  Pipe in;
  Pipe out;
  Pipe error;
  const bool of_stdout = options.lines == Lines::kOfStdout;
  guarded_ = StartGuarded(
      command,
      {in.ReadEnd(), (of_stdout ? out : error).WriteEnd(), (of_stdout ? error : out).WriteEnd()},
      options.reach, options.patience);
  in_ = in.TakeWriteEnd();
  out_ = out.TakeReadEnd();
  error_fd_ = error.TakeReadEnd();
}

ChildProcess::~ChildProcess() {
  CloseInput();
  if (guarded_.line >= 0) {
    End();
  }
  for (const int fd : {out_, error_fd_}) {
    if (fd >= 0) {
      ::close(fd);
    }
  }
}

bool ChildProcess::WriteLine(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view left = text;
  while (!left.empty() && in_ >= 0) {
    const ssize_t count = ::write(in_, left.data(), left.size());
    if (count >= 0) {
      left.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      CloseInput();
    }
  }
  return left.empty();
}

ChildProcess::Read ChildProcess::ReadLine(std::string& line, nanoseconds limit) {
  const Clock::time_point deadline = Clock::now() + limit;
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = lines_.find('\n', searched);
    if (end != std::string::npos) {
      line = lines_.substr(0, end);
      lines_.erase(0, end + 1);
      return Read::kLine;
    }
    searched = lines_.size();
    if (searched > kLongestLine) {
      return Read::kTooLong;
    }
    if (out_ < 0) {
      return Read::kEnd;
    }
    const nanoseconds left = deadline - Clock::now();
    if (left <= nanoseconds::zero()) {
      return Read::kTimeout;
    }
    Take(left);
  }
}

bool ChildProcess::HasEnded() const noexcept {
  pollfd end{.fd = guarded_.line, .events = POLLIN, .revents = 0};
  return ::poll(&end, 1, 0) > 0;
}

ProcessEnd ChildProcess::Finish(nanoseconds patience) {
  SB_ASSERT(guarded_.line >= 0, "finished twice");
  CloseInput();
  const Clock::time_point deadline = Clock::now() + patience;
  // The process must not have to wait for a reader.
  while ((out_ >= 0 || error_fd_ >= 0) && Clock::now() < deadline) {
    Take(deadline - Clock::now());
    lines_.clear();
  }
  // The streams end with the process, unless it has closed them or passed them to another.
  pollfd end{.fd = guarded_.line, .events = POLLIN, .revents = 0};
  const timespec time = ToTimespec(std::max(deadline - Clock::now(), nanoseconds::zero()));
  ::ppoll(&end, 1, &time, nullptr);
  return End();
}

ProcessEnd ChildProcess::End() noexcept {
  const ProcessEnd end = EndGuarded(guarded_);
  guarded_.line = -1;
  return end;
}

void ChildProcess::CloseInput() noexcept {
  if (in_ >= 0) {
    ::close(std::exchange(in_, -1));
  }
}

bool ChildProcess::Take(nanoseconds limit) {
  // A closed stream is -1, which poll ignores.
  std::array<pollfd, 2> streams{pollfd{.fd = out_, .events = POLLIN, .revents = 0},
                                pollfd{.fd = error_fd_, .events = POLLIN, .revents = 0}};
  const timespec time = ToTimespec(std::max(limit, nanoseconds::zero()));
  if (::ppoll(streams.data(), streams.size(), &time, nullptr) <= 0) {
    return false;
  }
  bool took = false;
  if (streams[0].revents != 0) {
    took = TakeFrom(out_, lines_);
  }
  if (streams[1].revents != 0) {
    took = TakeFrom(error_fd_, error_) || took;
    if (error_.size() > kErrorBytes) {
      error_.erase(0, error_.size() - kErrorBytes);
    }
  }
  return took;
}

}  // namespace schedbench::platform

#include "platform/files/journal_file.hpp"

#include "platform/files/file.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schedbench::platform {

JournalFile::JournalFile(std::string path)
    : path_(std::move(path)),
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the declaration of open() requires it
      fd_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (fd_ < 0) {
    Throw("cannot write");
  }
  struct stat status{};
  if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd_);
    throw JournalRefused(path_ + " is not an ordinary file");
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd_);
    throw JournalRefused(path_ + " is in use by another process");
  }
}

JournalFile::~JournalFile() {
  ::close(fd_);
}

std::string JournalFile::Read(std::size_t largest) const {
  std::string text;
  std::string piece(std::size_t{1} << 16U, '\0');
  for (;;) {
    const ssize_t size = ::pread(fd_, piece.data(), piece.size(), static_cast<off_t>(text.size()));
    if (size == 0) {
      return text;
    }
    if (size > 0) {
      text.append(piece, 0, static_cast<std::size_t>(size));
      if (text.size() > largest) {
        throw JournalRefused(path_ + " is larger than " + std::to_string(largest >> 20U) + " MiB");
      }
    } else if (errno != EINTR) {
      Throw("cannot read");
    }
  }
}

void JournalFile::Truncate(std::size_t size) {
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) {
    Throw("cannot write");
  }
}

void JournalFile::Append(std::string_view text) {
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t size = ::write(fd_, text.data() + written, text.size() - written);
    if (size > 0) {
      written += static_cast<std::size_t>(size);
    } else if (size < 0 && errno != EINTR) {
      break;
    }
  }
  if (written == text.size() && ::fdatasync(fd_) == 0) {
    return;
  }
  const int error = errno;
  // If this fails too, the reader drops the incomplete end.
  static_cast<void>(::ftruncate(fd_, before));
  errno = error;
  Throw("cannot write");
}

void JournalFile::Throw(std::string_view what) const {
  throw WriteError(errno, std::generic_category(), std::string(what) + " " + path_);
}

}  // namespace schedbench::platform

#include "platform/files/positioned_file.hpp"

#include "platform/files/interrupted.hpp"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr mode_t kOwnerOnly = 0600;

int FlagsOf(FileUse use) noexcept {
  switch (use) {
    case FileUse::kRead:
      return O_RDONLY;
    case FileUse::kReadWrite:
      return O_RDWR;
    case FileUse::kCreate:
      return O_RDWR | O_CREAT | O_TRUNC;
    case FileUse::kCreateNew:
      return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

// Opens a file by name, for file systems without unnamed files.
int OpenAndUnlink(const char* folder) noexcept {
  std::string path = std::string(folder) + "/schedbench-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) {
    return -errno;
  }
  ::unlink(path.c_str());
  return fd;
}

}  // namespace

int OpenFile(const char* path, FileUse use) noexcept {
  const int fd =
      RepeatInterrupted([&] { return ::open(path, FlagsOf(use) | O_CLOEXEC, kOwnerOnly); });
  if (fd >= 0 && ::lseek(fd, 0, SEEK_CUR) < 0) {
    const int error = errno;
    ::close(fd);
    return -error;
  }
  return fd;
}

int OpenTemporaryFile(const char* folder) noexcept {
  const int fd =
      RepeatInterrupted([&] { return ::open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, kOwnerOnly); });
  return fd == -EOPNOTSUPP || fd == -EISDIR ? OpenAndUnlink(folder) : fd;
}

std::int64_t FileSize(int fd) noexcept {
  struct stat facts{};
  return ::fstat(fd, &facts) == 0 ? facts.st_size : -errno;
}

}  // namespace schedbench::platform

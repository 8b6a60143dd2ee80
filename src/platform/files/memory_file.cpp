#include "platform/files/memory_file.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace schedbench::platform {

MemoryFile::MemoryFile(std::string_view content)
    : fd_(::memfd_create("schedbench", MFD_CLOEXEC)) {
  if (fd_ < 0) {
    throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  while (!content.empty()) {
    const ssize_t written = ::write(fd_, content.data(), content.size());
    if (written < 0) {
      const int error = errno;
      ::close(fd_);
      throw std::system_error(error, std::generic_category(), "write to a file in memory");
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

MemoryFile::~MemoryFile() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

std::string MemoryFile::Path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_);
}

}  // namespace schedbench::platform

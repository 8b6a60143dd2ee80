#include "platform/memory/safe_read.hpp"

#include "platform/memory/memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace schedbench::platform {

bool SafeRead(std::uintptr_t from, void* to, std::size_t bytes) noexcept {
  const iovec local{.iov_base = to, .iov_len = bytes};
  const iovec remote{.iov_base = reinterpret_cast<void*>(from), .iov_len = bytes};
  const int saved_errno = errno;
  // All arguments have the length of a register: the kernel would read beyond shorter ones.
  const long count = ::syscall(SYS_process_vm_readv, static_cast<long>(::getpid()), &local, 1UL,
                               &remote, 1UL, 0UL);
  const bool refused = count < 0 && (errno == EPERM || errno == ENOSYS);
  errno = saved_errno;
  if (refused) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return true;
  }
  return count == static_cast<long>(bytes);
}

bool SafeReadIsSafe() noexcept {
  const char from = 0;
  char to = 0;
  const iovec local{.iov_base = &to, .iov_len = 1};
  const iovec remote{.iov_base = const_cast<char*>(&from), .iov_len = 1};
  return ::syscall(SYS_process_vm_readv, static_cast<long>(::getpid()), &local, 1UL, &remote, 1UL,
                   0UL) == 1;
}

void SafeReadString(std::uintptr_t from, std::span<char> to) noexcept {
  std::size_t length = 0;
  while (length < to.size() - 1) {
    // A read stays within a page, because the next one may not exist.
    const std::size_t left_in_page = kPageBytes - (from + length) % kPageBytes;
    const std::size_t count = std::min(left_in_page, to.size() - 1 - length);
    if (!SafeRead(from + length, to.data() + length, count)) {
      break;
    }
    const char* const first = to.data() + length;
    const char* const end = std::find(first, first + count, '\0');
    length += static_cast<std::size_t>(end - first);
    if (end != first + count) {
      break;
    }
  }
  to[length] = '\0';
}

}  // namespace schedbench::platform

#include "platform/files/file_request.hpp"

#include "platform/files/interrupted.hpp"

#include <cerrno>

#include <sys/uio.h>
#include <unistd.h>

namespace schedbench::platform {

std::int64_t RunRequest(const FileRequest& request) noexcept {
  const auto position = static_cast<off_t>(request.position);
  return RepeatInterrupted([&]() -> std::int64_t {
    switch (request.kind) {
      case FileRequest::Kind::kRead:
        return ::pread(request.fd, request.bytes, request.size, position);
      case FileRequest::Kind::kWrite:
        return ::pwrite(request.fd, request.bytes, request.size, position);
      case FileRequest::Kind::kSync:
        return ::fdatasync(request.fd);
    }
    return 0;
  });
}

std::int64_t ReadWithoutWaiting(const FileRequest& request) noexcept {
  const iovec into{.iov_base = request.bytes, .iov_len = request.size};
  const std::int64_t result = RepeatInterrupted([&] {
    return ::preadv2(request.fd, &into, 1, static_cast<off_t>(request.position), RWF_NOWAIT);
  });
  return result == -EOPNOTSUPP || result == -ENOSYS ? -EAGAIN : result;
}

}  // namespace schedbench::platform

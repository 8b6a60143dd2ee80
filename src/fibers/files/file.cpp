#include "fibers/files/file.hpp"

#include "fibers/net/ring_operation.hpp"
#include "fibers/sched/blocking.hpp"
#include "platform/files/file_request.hpp"
#include "platform/net/socket.hpp"

#include <cerrno>
#include <limits>

namespace schedbench::fibers {

namespace {

using platform::FileRequest;

IoError ErrorOfFile(std::int64_t result) noexcept {
  return {result < 0 ? static_cast<int>(-result) : 0};
}

// Runs a request by io_uring if the process uses it, otherwise in a blocking call.
std::int64_t Run(const FileRequest& request) noexcept {
  if (const auto result = RingOperation::TryRun(request)) {
    return *result;
  }
  return Blocking([&request] { return platform::RunRequest(request); });
}

std::int64_t Read(const FileRequest& request) noexcept {
  const std::int64_t in_memory = platform::ReadWithoutWaiting(request);
  return in_memory == -EAGAIN ? Run(request) : in_memory;
}

// Moves until all bytes are moved, nothing moves any more, or a call fails. `move` gets position
// and rest.
template <typename Byte, typename Move>
Transfer MoveAllAt(std::uint64_t position, std::span<Byte> bytes, Move move) noexcept {
  // The kernel reads larger ones as negative, and -1 as the position of the last read or write.
  constexpr std::uint64_t kLastPosition = std::numeric_limits<std::int64_t>::max();
  if (position > kLastPosition) {
    return {.bytes = 0, .error = {EINVAL}};
  }
  Transfer all;
  while (all.bytes < bytes.size()) {
    const std::int64_t moved = move(position + all.bytes, bytes.subspan(all.bytes));
    if (moved <= 0) {
      all.error = ErrorOfFile(moved);
      break;
    }
    all.bytes += static_cast<std::size_t>(moved);
  }
  return all;
}

}  // namespace

IoResult<File> File::Opened(int fd) noexcept {
  if (fd < 0) {
    return IoError{-fd};
  }
  return File(fd);
}

IoResult<File> File::Open(const std::string& path, Use use) {
  return Opened(Blocking([&] { return platform::OpenFile(path.c_str(), use); }));
}

IoResult<File> File::OpenTemporary(const std::string& folder) {
  return Opened(Blocking([&] { return platform::OpenTemporaryFile(folder.c_str()); }));
}

Transfer File::ReadAt(std::uint64_t position, std::span<std::byte> into) noexcept {
  return MoveAllAt(position, into, [this](std::uint64_t at, std::span<std::byte> rest) {
    return Read(FileRequest::Read(fd_, at, rest));
  });
}

Transfer File::WriteAt(std::uint64_t position, std::span<const std::byte> bytes) noexcept {
  return MoveAllAt(position, bytes, [this](std::uint64_t at, std::span<const std::byte> rest) {
    return Run(FileRequest::Write(fd_, at, rest));
  });
}

IoError File::Sync() noexcept {
  return ErrorOfFile(Run(FileRequest::Sync(fd_)));
}

IoResult<std::uint64_t> File::Size() noexcept {
  const std::int64_t size = platform::FileSize(fd_);
  if (size < 0) {
    return ErrorOfFile(size);
  }
  return static_cast<std::uint64_t>(size);
}

void File::Close() noexcept {
  const int fd = std::exchange(fd_, -1);
  if (fd >= 0) {
    Blocking([fd] { platform::CloseDescriptor(fd); });
  }
}

}  // namespace schedbench::fibers

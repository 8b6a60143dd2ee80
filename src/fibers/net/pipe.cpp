#include "fibers/net/pipe.hpp"

#include "fibers/net/move_bytes.hpp"
#include "platform/net/socket.hpp"

#include <array>

namespace schedbench::fibers {

Transfer PipeReader::ReadSome(std::span<std::byte> into, Deadline deadline) noexcept {
  return MoveSome(*descriptor_, WaitKind::kNetRead, deadline, into, platform::ReadPipe);
}

Transfer PipeReader::ReadFull(std::span<std::byte> into, Deadline deadline) noexcept {
  return MoveAll(*descriptor_, WaitKind::kNetRead, deadline, into, platform::ReadPipe);
}

Transfer PipeWriter::WriteSome(std::span<const std::byte> bytes, Deadline deadline) noexcept {
  return MoveSome(*descriptor_, WaitKind::kNetWrite, deadline, bytes, platform::WritePipe);
}

Transfer PipeWriter::WriteAll(std::span<const std::byte> bytes, Deadline deadline) noexcept {
  return MoveAll(*descriptor_, WaitKind::kNetWrite, deadline, bytes, platform::WritePipe);
}

IoResult<Pipe> Pipe::Open() noexcept {
  std::array<int, 2> fds{};
  const int error = platform::OpenPipe(fds);
  if (error != 0) {
    return IoError{-error};
  }
  auto read_end = DescriptorOwner::Open(fds[0]);
  auto write_end = DescriptorOwner::Open(fds[1]);
  if (!read_end.Ok() || !write_end.Ok()) {
    return read_end.Ok() ? write_end.Error() : read_end.Error();
  }
  return Pipe(read_end.Take(), write_end.Take());
}

}  // namespace schedbench::fibers

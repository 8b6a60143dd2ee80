#include "platform/files/raw_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace schedbench::platform {

RawWriter& RawWriter::operator<<(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t count = std::min(text.size(), bytes_ - used_);
    std::memcpy(memory_ + used_, text.data(), count);
    used_ += count;
    text.remove_prefix(count);
    if (fd_ < 0) {
      break;
    }
    if (used_ == bytes_) {
      Flush();
    }
  }
  return *this;
}

RawWriter& RawWriter::operator<<(std::uint64_t number) noexcept {
  std::array<char, 20> digits;
  std::size_t first = digits.size();
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return *this << std::string_view(digits.data() + first, digits.size() - first);
}

RawWriter& RawWriter::operator<<(Hex number) noexcept {
  std::array<char, 18> digits;
  std::size_t first = digits.size();
  do {
    digits[--first] = "0123456789abcdef"[number.value % 16];
    number.value /= 16;
  } while (number.value != 0);
  digits[--first] = 'x';
  digits[--first] = '0';
  return *this << std::string_view(digits.data() + first, digits.size() - first);
}

void RawWriter::Flush() noexcept {
  if (fd_ < 0) {
    return;
  }
  const char* next = memory_;
  while (used_ > 0) {
    const ssize_t written = ::write(fd_, next, used_);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      break;  // an error cannot be reported
    }
    next += written;
    used_ -= static_cast<std::size_t>(written);
  }
  used_ = 0;
}

}  // namespace schedbench::platform

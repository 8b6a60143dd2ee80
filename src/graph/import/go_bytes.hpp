#pragma once

#include "graph/graph_file.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::graph {

// Reads the bytes of a Go trace from one place on. Each function throws FormatError at the end of
// the bytes.
class GoBytes {
 public:
  // `before`: the number of bytes of the file before the first one of `bytes`.
  explicit GoBytes(std::string_view bytes, std::size_t before = 0)
      : bytes_(bytes),
        before_(before) {
  }

  bool IsEmpty() const {
    return at_ == bytes_.size();
  }

  std::size_t Place() const {
    return before_ + at_;
  }

  unsigned char Byte() {
    if (IsEmpty()) {
      Refuse("it ends in the middle of an event");
    }
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  // LEB128, unsigned.
  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned char byte = Byte();
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) {
        return number;
      }
    }
    Refuse("a number is longer than 64 bits");
  }

  // A length, then so many bytes.
  std::string_view Text() {
    const std::uint64_t size = Number();
    if (size > bytes_.size() - at_) {
      Refuse("a text is longer than the file");
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  // As Text(); its errors name the place in the file.
  GoBytes Part() {
    const std::string_view part = Text();
    return GoBytes(part, Place() - part.size());
  }

  [[noreturn]] void Refuse(const std::string& why) const {
    throw FormatError(fmt::format("the Go trace is damaged at byte {}: {}", Place(), why));
  }

 private:
  std::string_view bytes_;
  std::size_t before_;
  std::size_t at_ = 0;
};

}  // namespace schedbench::graph

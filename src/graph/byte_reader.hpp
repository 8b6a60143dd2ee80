#pragma once

#include "graph/graph_file.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::graph {

// Reads the bytes of a file in order. Each function throws FormatError at the end of the bytes.
class ByteReader {
 public:
  // `before`: the file's bytes before `bytes`. `subject`: start of messages, a string literal.
  ByteReader(std::string_view bytes, std::size_t before, std::string_view subject)
      : bytes_(bytes),
        before_(before),
        subject_(subject) {
  }

  bool IsEmpty() const {
    return at_ == bytes_.size();
  }

  std::size_t Place() const {
    return before_ + at_;
  }

  unsigned char Byte() {
    if (IsEmpty()) {
      Refuse("it ends in the middle");
    }
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  // Reads an unsigned LEB128 number.
  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned char byte = Byte();
      const std::uint64_t bits = byte & 0x7FU;
      if (shift == 63 && bits > 1) {
        break;
      }
      number |= bits << shift;
      if (byte < 0x80U) {
        return number;
      }
    }
    Refuse("a number is longer than 64 bits");
  }

  // Reads a number of things of at least a byte each: the file bounds the memory reserved for them.
  std::size_t Count() {
    const std::uint64_t count = Number();
    if (count > bytes_.size() - at_) {
      Refuse(fmt::format("it says that {} things follow, more than it has bytes", count));
    }
    return count;
  }

  // Reads a length, then that many bytes.
  std::string_view Text() {
    const std::uint64_t size = Number();
    if (size > bytes_.size() - at_) {
      Refuse("a text is longer than the file");
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  // Reads a Text() as a reader; its errors name the position in the file.
  ByteReader Part() {
    const std::string_view part = Text();
    return ByteReader(part, Place() - part.size(), subject_);
  }

  [[noreturn]] void Refuse(const std::string& why) const {
    throw FormatError(fmt::format("{} at byte {}: {}", subject_, Place(), why));
  }

 private:
  std::string_view bytes_;
  std::size_t before_;
  std::string_view subject_;
  std::size_t at_ = 0;
};

}  // namespace schedbench::graph

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::timeline {

// A Protocol Buffers message under construction (https://protobuf.dev/programming-guides/encoding),
// as far as Perfetto's format needs it. Fields are in the order of their addition.
class ProtoMessage {
 public:
  void AddVarint(std::uint32_t field, std::uint64_t value) {
    AddKey(field, kVarint);
    AddNumber(value);
  }

  void AddFixed64(std::uint32_t field, std::uint64_t value) {
    AddKey(field, kFixed64);
    for (int byte = 0; byte < 8; ++byte) {
      bytes_ += static_cast<char>(value >> (8 * byte));
    }
  }

  void AddBytes(std::uint32_t field, std::string_view bytes) {
    AddKey(field, kLengthDelimited);
    AddNumber(bytes.size());
    bytes_ += bytes;
  }

  void AddMessage(std::uint32_t field, const ProtoMessage& message) {
    AddBytes(field, message.bytes_);
  }

  // Keeps the memory.
  void Clear() {
    bytes_.clear();
  }

  std::string_view Bytes() const {
    return bytes_;
  }

 private:
  static constexpr std::uint32_t kVarint = 0;
  static constexpr std::uint32_t kFixed64 = 1;
  static constexpr std::uint32_t kLengthDelimited = 2;

  void AddKey(std::uint32_t field, std::uint32_t wire_type) {
    AddNumber(std::uint64_t{field} << 3 | wire_type);
  }

  // Writes seven bits per byte, the lowest first; all bytes except the last have the top bit.
  void AddNumber(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_ += static_cast<char>(value | 0x80);
      value >>= 7;
    }
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace schedbench::timeline

#include "platform/files/file_checksum.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace schedbench::platform {

namespace {

constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325U;

std::uint64_t Continued(std::uint64_t hash, std::string_view text) {
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return hash;
}

std::string Digits(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string ChecksumOf(std::string_view text) {
  return Digits(Continued(kFnvBasis, text));
}

std::string FileChecksum(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return "";  // a pipe would lose the bytes read here
  }
  std::ifstream file(path, std::ios::binary);
  std::uint64_t hash = kFnvBasis;
  std::array<char, 1U << 16U> piece;
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
    hash = Continued(hash, {piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  return file.eof() ? Digits(hash) : "";
}

}  // namespace schedbench::platform

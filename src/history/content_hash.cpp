#include "history/content_hash.hpp"

#include <fmt/core.h>

#include <cstdint>

namespace schedbench::history {

std::string ContentHash(std::string_view text) {
  // FNV-1a over the bytes, and over the bytes in reverse.
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325U;
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t forward = kBasis;
  std::uint64_t backward = kBasis;
  for (std::size_t i = 0; i < text.size(); ++i) {
    forward = (forward ^ static_cast<unsigned char>(text[i])) * kPrime;
    backward = (backward ^ static_cast<unsigned char>(text[text.size() - 1 - i])) * kPrime;
  }
  return fmt::format("{:016x}{:016x}", forward, backward);
}

}  // namespace schedbench::history

#pragma once

#include "base/attributes.hpp"
#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

// The kind of guard page, which catches an overflow of the stack.
enum class StackGuard : std::uint8_t { kAuto, kMadvise, kMprotect, kNone };

// Returns the names of the guards in configs.
constexpr std::array<std::string_view, 4> NamesOf(StackGuard) {
  return {"auto", "madvise", "mprotect", "none"};
}

struct StackConfig {
  // clang-format off
#if defined(SB_ASAN) || defined(SB_TSAN)
  // The frames under sanitizers are several times larger.
  static constexpr std::uint32_t kDefaultBytes = 262144;
#else
  static constexpr std::uint32_t kDefaultBytes = 65536;
#endif
  config::Field<"bytes", kDefaultBytes, config::PowerOfTwo{16384U, 16777216U}, "Bytes of a fiber's "
      "stack, at least four pages, including the guard page; only touched pages use memory"> bytes;
  config::Field<"guard", StackGuard::kAuto, config::AnyOf{},
      "Guard page: madvise (Linux 6.13, no extra mapping), mprotect (two mappings per stack), auto "
      "(the first of these that works) or none"> guard;
  // clang-format on
};

}  // namespace schedbench::fibers

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace schedbench {

// A string literal as a template argument: the names, units and docs of fields and metrics.
template <std::size_t N>
struct FixedString {
  char chars[N];

  consteval FixedString(const char (&text)[N]) {  // NOLINT: implicit, so that a literal is enough
    std::copy_n(text, N, chars);
  }

  constexpr operator std::string_view() const {  // NOLINT: implicit by purpose
    return {chars, N - 1};
  }
};

}  // namespace schedbench

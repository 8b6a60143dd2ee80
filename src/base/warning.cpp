#include "base/warning.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace schedbench {

void PrintWarning(std::string_view message) noexcept {
  const auto length = static_cast<int>(std::min<std::size_t>(message.size(), 500));
  // Not fprintf, which takes 8 KiB of the stack where the stream has no buffer: it may be that of a fiber.
  char text[512];
  std::snprintf(text, sizeof(text), "warning: %.*s\n", length, message.data());
  std::fputs(text, stderr);
}

}  // namespace schedbench

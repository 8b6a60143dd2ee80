#include "base/warning.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace schedbench {

void PrintWarning(std::string_view message) noexcept {
  const auto length = static_cast<int>(std::min<std::size_t>(message.size(), 500));
  // fprintf would take 8 KiB of the stack, perhaps a fiber's, if the stream does not have a buffer.
  char text[512];
  std::snprintf(text, sizeof(text), "warning: %.*s\n", length, message.data());
  std::fputs(text, stderr);
}

}  // namespace schedbench

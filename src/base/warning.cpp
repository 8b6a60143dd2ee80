#include "base/warning.hpp"

#include <cstdio>

namespace schedbench {

void Warn(std::string_view message) noexcept {
  // Not fprintf, which takes 8 KiB of the stack where the stream has no buffer.
  char text[512];
  std::snprintf(text, sizeof(text), "warning: %.*s\n", static_cast<int>(message.size()),
                message.data());
  std::fputs(text, stderr);
}

}  // namespace schedbench

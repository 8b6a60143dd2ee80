#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace schedbench {

void AssertionFailed(const char* file, int line, const char* condition,
                     const char* message) noexcept {
  // Not fprintf, which takes 8 KiB of the stack where the stream has no buffer: it may be that of a fiber.
  char text[512];
  std::snprintf(text, sizeof(text), "%s:%d: assertion failed: %s (%s)\n", file, line, condition,
                message);
  std::fputs(text, stderr);
  std::abort();
}

}  // namespace schedbench

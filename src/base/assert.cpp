#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace schedbench {

void AssertionFailed(const char* file, int line, const char* condition,
                     const char* message) noexcept {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line, condition, message);
  std::abort();
}

}  // namespace schedbench

#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace schedbench {

namespace {

void (*before_assertion)() noexcept = nullptr;  // written before other threads start

}  // namespace

void SetBeforeAssertion(void (*call)() noexcept) noexcept {
  before_assertion = call;
}

void AssertionFailed(const char* file, int line, const char* condition,
                     const char* message) noexcept {
  // Not fprintf, which takes 8 KiB of the stack where the stream has no buffer: it may be that of a fiber.
  char text[512];
  std::snprintf(text, sizeof(text), "%s:%d: assertion failed: %s (%s)\n", file, line, condition,
                message);
  if (before_assertion != nullptr) {
    before_assertion();
  }
  std::fputs(text, stderr);
  std::abort();
}

}  // namespace schedbench

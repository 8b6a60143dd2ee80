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
  // fprintf would take 8 KiB of the stack, perhaps a fiber's, if the stream does not have a buffer.
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
